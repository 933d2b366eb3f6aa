/** Signs documents, and not only their digests: AdES signatures by EU DSS over acts of signing. */
@NullMarked
package org.keywell.dss;

import org.jspecify.annotations.NullMarked;
