/** Certificates that are revoked, and the lists that say so (RFC 5280, section 5). */
@NullMarked
package org.keywell.ca.revocation;

import org.jspecify.annotations.NullMarked;
