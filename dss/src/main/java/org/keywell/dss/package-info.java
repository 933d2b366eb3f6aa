/** Signs whole documents rather than only their digests: AdES signatures by EU DSS. */
@NullMarked
package org.keywell.dss;

import org.jspecify.annotations.NullMarked;
