/** Files for measurements of TLS, on a service that serves nobody else. */
@NullMarked
package org.keywell.rest.trial;

import org.jspecify.annotations.NullMarked;
