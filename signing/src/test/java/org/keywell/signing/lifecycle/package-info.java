@NullMarked
package org.keywell.signing.lifecycle;

import org.jspecify.annotations.NullMarked;
