@NullMarked
package org.keywell.signing.revocation;

import org.jspecify.annotations.NullMarked;
