/** What operators look at of the way in over KMIP. */
@NullMarked
package org.keywell.operations.kmip;

import org.jspecify.annotations.NullMarked;
