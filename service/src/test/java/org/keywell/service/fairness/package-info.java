@NullMarked
package org.keywell.service.fairness;

import org.jspecify.annotations.NullMarked;
