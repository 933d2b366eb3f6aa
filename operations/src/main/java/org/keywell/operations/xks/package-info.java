/** What operators look at of the external key store. */
@NullMarked
package org.keywell.operations.xks;

import org.jspecify.annotations.NullMarked;
