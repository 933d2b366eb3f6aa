/** Who signs: the tickets of identity providers, and what they attest of a citizen. */
@NullMarked
package org.keywell.service.identity;

import org.jspecify.annotations.NullMarked;
