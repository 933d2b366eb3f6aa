@NullMarked
package org.keywell.signing.stamp;

import org.jspecify.annotations.NullMarked;
