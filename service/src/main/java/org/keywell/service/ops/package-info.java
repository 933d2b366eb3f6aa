/** What operators ask the running service. */
@NullMarked
package org.keywell.service.ops;

import org.jspecify.annotations.NullMarked;
