/** The commands of the executable, and how a failed start is reported. */
@NullMarked
package org.keywell.service.launch;

import org.jspecify.annotations.NullMarked;
