package org.keywell.tlog;

/** Knows the hashes of a tree's complete subtrees. */
public interface HashSource {

  /**
   * Returns the hash of the {@code 2^level} entries from {@code index * 2^level} on.
   *
   * @param level 0: of leaves
   * @throws LogFormatException if what was read is malformed
   */
  TreeHash hash(int level, long index);
}
