@NullMarked
package org.keywell.signing.sign;

import org.jspecify.annotations.NullMarked;
