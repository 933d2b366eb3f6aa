/** The HSMs that keep the keys. */
@NullMarked
package org.keywell.xks.hsm;

import org.jspecify.annotations.NullMarked;
