/** The log: entries, the one sequencer that gives them their places, and signed checkpoints. */
@NullMarked
package org.keywell.signing.log;

import org.jspecify.annotations.NullMarked;
