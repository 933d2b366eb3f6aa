/** Verifies possession, builds X.509 v3 certificates and signs them with the issuing key. */
@NullMarked
package org.keywell.ca.issuance;

import org.jspecify.annotations.NullMarked;
