/** Whether the service can take requests and, if not, which part is at fault and since when. */
@NullMarked
package org.keywell.operations.health;

import org.jspecify.annotations.NullMarked;
