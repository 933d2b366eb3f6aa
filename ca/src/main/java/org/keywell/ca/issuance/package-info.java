/** Verifies possession, builds X.509 v3 certificates and has the issuing key sign them. */
@NullMarked
package org.keywell.ca.issuance;

import org.jspecify.annotations.NullMarked;
