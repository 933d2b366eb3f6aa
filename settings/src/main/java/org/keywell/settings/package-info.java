/** The configuration: all of {@code keywell.*}, checked. Uses nothing else of the service. */
@NullMarked
package org.keywell.settings;

import org.jspecify.annotations.NullMarked;
