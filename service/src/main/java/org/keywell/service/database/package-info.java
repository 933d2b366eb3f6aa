/** PostgreSQL: embedded in the data directory, or external. */
@NullMarked
package org.keywell.service.database;

import org.jspecify.annotations.NullMarked;
