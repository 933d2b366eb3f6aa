/** Moves old months of records into files, with the log that they are in. */
@NullMarked
package org.keywell.signing.record.archive;

import org.jspecify.annotations.NullMarked;
