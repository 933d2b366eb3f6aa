@NullMarked
package org.keywell.signing.ca;

import org.jspecify.annotations.NullMarked;
