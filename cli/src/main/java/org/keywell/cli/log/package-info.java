/** Reads and verifies copies of a service's transparency log, and proofs from it. */
@NullMarked
package org.keywell.cli.log;

import org.jspecify.annotations.NullMarked;
