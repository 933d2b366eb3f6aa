@NullMarked
package org.keywell.keypool.hsm.timed;

import org.jspecify.annotations.NullMarked;
