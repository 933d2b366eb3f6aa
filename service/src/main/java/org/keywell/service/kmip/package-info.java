/** Wires the way in over KMIP to callers, certificates and the core. */
@NullMarked
package org.keywell.service.kmip;

import org.jspecify.annotations.NullMarked;
