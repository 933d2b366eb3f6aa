/** Acts of signing in two calls: the certificate first, the digests later, one key for both. */
@NullMarked
package org.keywell.signing.act;

import org.jspecify.annotations.NullMarked;
