/** The capacity calculator: what a device and a key pool can carry, by arithmetic only. */
@NullMarked
package org.keywell.plan;

import org.jspecify.annotations.NullMarked;
