/**
 * A Merkle tree log in the public formats of C2SP: tiles, checkpoints as signed notes, cosignatures
 * and proofs that are verified offline. Hashes and proofs are those of RFC 9162. Knows no storage
 * and no network. For Java 17 and newer; depends on nothing.
 */
@NullMarked
package org.keywell.tlog;

import org.jspecify.annotations.NullMarked;
