/** Operations of a KMIP client a minute, with a new connection for each and with kept ones. */
@NullMarked
package org.keywell.loadgen.speed;

import org.jspecify.annotations.NullMarked;
