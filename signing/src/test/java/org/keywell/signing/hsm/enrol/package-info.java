@NullMarked
package org.keywell.signing.hsm.enrol;

import org.jspecify.annotations.NullMarked;
