/** Managed objects: types, states, attributes, and what Locate asks of them. No SQL and no HSM. */
@NullMarked
package org.keywell.kmip.object;

import org.jspecify.annotations.NullMarked;
