/** PostgreSQL in the data directory, for one-command use and for tests. */
@NullMarked
package org.keywell.standalone;

import org.jspecify.annotations.NullMarked;
