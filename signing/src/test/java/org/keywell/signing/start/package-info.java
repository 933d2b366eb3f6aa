@NullMarked
package org.keywell.signing.start;

import org.jspecify.annotations.NullMarked;
