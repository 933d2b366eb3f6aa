@NullMarked
package org.keywell.signing.hsm;

import org.jspecify.annotations.NullMarked;
