/** PostgreSQL: an external server, or the one that comes with the program. */
@NullMarked
package org.keywell.signing.database;

import org.jspecify.annotations.NullMarked;
