/** Proof of who signs: identity providers' tickets, and what they attest about a citizen. */
@NullMarked
package org.keywell.identity;

import org.jspecify.annotations.NullMarked;
