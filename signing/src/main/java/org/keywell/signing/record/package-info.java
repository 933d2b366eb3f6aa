/** The durable record of each request: group-committed intent and outcome, and recovery. */
@NullMarked
package org.keywell.signing.record;

import org.jspecify.annotations.NullMarked;
