@NullMarked
package org.keywell.signing.fairness;

import org.jspecify.annotations.NullMarked;
