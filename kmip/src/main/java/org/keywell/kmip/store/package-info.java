/** Managed objects in PostgreSQL, each visible to its owner only. */
@NullMarked
package org.keywell.kmip.store;

import org.jspecify.annotations.NullMarked;
