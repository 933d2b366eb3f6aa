/** {@code /log}: checkpoints, tiles and proofs, in the formats of C2SP. */
@NullMarked
package org.keywell.rest.log;

import org.jspecify.annotations.NullMarked;
