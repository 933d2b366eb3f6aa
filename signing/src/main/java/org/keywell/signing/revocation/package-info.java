/** Revokes certificates of signers, and publishes the lists of those that are revoked. */
@NullMarked
package org.keywell.signing.revocation;

import org.jspecify.annotations.NullMarked;
