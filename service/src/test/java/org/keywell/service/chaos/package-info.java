/** What must hold whatever dies: several instances of the service, killed again and again. */
@NullMarked
package org.keywell.service.chaos;

import org.jspecify.annotations.NullMarked;
