/** Wires the certification authority. */
@NullMarked
package org.keywell.service.ca;

import org.jspecify.annotations.NullMarked;
