/** PostgreSQL: one that is given, or one that comes with the program. */
@NullMarked
package org.keywell.service.database;

import org.jspecify.annotations.NullMarked;
