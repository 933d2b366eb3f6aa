/** Rehearses signing, from JSON to JSON, before a new process reports that it is ready. */
@NullMarked
package org.keywell.rest.rehearsal;

import org.jspecify.annotations.NullMarked;
