@NullMarked
package org.keywell.signing;

import org.jspecify.annotations.NullMarked;
