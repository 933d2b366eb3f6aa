package org.keywell.tlog;

import java.util.ArrayList;
import java.util.List;

/**
 * A tree of a certain size: its root, and proofs (RFC 9162, sections 2.1.1, 2.1.3.1 and 2.1.4.1).
 *
 * @param size in entries
 * @param hashes of this tree, or of one that continues it
 */
public record Tree(long size, HashSource hashes) {

  public Tree {
    if (size < 0) {
      throw new IllegalArgumentException("a tree's size: " + size);
    }
  }

  public TreeHash root() {
    return size == 0 ? TreeHash.EMPTY_TREE : hash(0, size);
  }

  /**
   * Returns the proof that the entry is in the tree, from the leaf's sibling up.
   *
   * @throws IllegalArgumentException if it is beyond the tree
   */
  public List<TreeHash> inclusionProof(long index) {
    if (index < 0 || index >= size) {
      throw new IllegalArgumentException("entry " + index + " of " + size);
    }
    List<TreeHash> proof = new ArrayList<>();
    include(index, 0, size, proof);
    return List.copyOf(proof);
  }

  /**
   * Returns the proof that this tree continues the one of an earlier size.
   *
   * @throws IllegalArgumentException if that is larger than this one
   */
  public List<TreeHash> consistencyProof(long earlier) {
    if (earlier < 0 || earlier > size) {
      throw new IllegalArgumentException("a tree of " + earlier + " in one of " + size);
    }
    List<TreeHash> proof = new ArrayList<>();
    if (earlier > 0 && earlier < size) {
      continueFrom(earlier, 0, size, true, proof);
    }
    return List.copyOf(proof);
  }

  private void include(long index, long from, long to, List<TreeHash> proof) {
    if (to - from == 1) {
      return;
    }
    long middle = from + split(to - from);
    if (index < middle) {
      include(index, from, middle, proof);
      proof.add(hash(middle, to));
    } else {
      include(index, middle, to, proof);
      proof.add(hash(from, middle));
    }
  }

  private void continueFrom(long earlier, long from, long to, boolean known, List<TreeHash> proof) {
    if (earlier == to) {
      if (!known) {
        proof.add(hash(from, to));
      }
      return;
    }
    long middle = from + split(to - from);
    if (earlier <= middle) {
      continueFrom(earlier, from, middle, known, proof);
      proof.add(hash(middle, to));
    } else {
      continueFrom(earlier, middle, to, false, proof);
      proof.add(hash(from, middle));
    }
  }

  private TreeHash hash(long from, long to) {
    long entries = to - from;
    if (Long.bitCount(entries) == 1) {
      int level = Long.numberOfTrailingZeros(entries);
      return hashes.hash(level, from >>> level);
    }
    long middle = from + split(entries);
    return TreeHash.ofNode(hash(from, middle), hash(middle, to));
  }

  /** Returns the largest power of two below it. */
  private static long split(long entries) {
    return Long.highestOneBit(entries - 1);
  }
}
