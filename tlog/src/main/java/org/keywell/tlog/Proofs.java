package org.keywell.tlog;

import java.util.List;

/** Verifies proofs (RFC 9162, sections 2.1.3.2 and 2.1.4.2). */
public final class Proofs {

  private Proofs() {}

  /**
   * Whether the leaf is in the tree with this root.
   *
   * @param index of the leaf, from 0
   * @param proof from the leaf's sibling up
   */
  public static boolean includes(
      TreeHash root, long size, TreeHash leaf, long index, List<TreeHash> proof) {
    if (index < 0 || index >= size) {
      return false;
    }
    long node = index;
    long last = size - 1;
    TreeHash hash = leaf;
    for (TreeHash sibling : proof) {
      if (last == 0) {
        return false;
      }
      if (node % 2 == 1 || node == last) {
        hash = TreeHash.ofNode(sibling, hash);
        while (node % 2 == 0 && node != 0) {
          node >>>= 1;
          last >>>= 1;
        }
      } else {
        hash = TreeHash.ofNode(hash, sibling);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 && hash.equals(root);
  }

  /** Whether the tree with the later root continues the one with the earlier root. */
  public static boolean continues(
      long earlierSize,
      TreeHash earlierRoot,
      long laterSize,
      TreeHash laterRoot,
      List<TreeHash> proof) {
    if (earlierSize < 0 || earlierSize > laterSize) {
      return false;
    }
    if (earlierSize == 0) {
      return proof.isEmpty() && earlierRoot.equals(TreeHash.EMPTY_TREE);
    }
    if (earlierSize == laterSize) {
      return proof.isEmpty() && earlierRoot.equals(laterRoot);
    }
    return continuesLarger(earlierSize, earlierRoot, laterSize, laterRoot, proof);
  }

  private static boolean continuesLarger(
      long earlierSize,
      TreeHash earlierRoot,
      long laterSize,
      TreeHash laterRoot,
      List<TreeHash> proof) {
    boolean complete = Long.bitCount(earlierSize) == 1;
    if (proof.isEmpty() && !complete) {
      return false;
    }
    long node = earlierSize - 1;
    long last = laterSize - 1;
    while (node % 2 == 1) {
      node >>>= 1;
      last >>>= 1;
    }
    TreeHash earlier = complete ? earlierRoot : proof.get(0);
    TreeHash later = earlier;
    for (TreeHash next : complete ? proof : proof.subList(1, proof.size())) {
      if (last == 0) {
        return false;
      }
      if (node % 2 == 1 || node == last) {
        earlier = TreeHash.ofNode(next, earlier);
        later = TreeHash.ofNode(next, later);
        while (node % 2 == 0 && node != 0) {
          node >>>= 1;
          last >>>= 1;
        }
      } else {
        later = TreeHash.ofNode(later, next);
      }
      node >>>= 1;
      last >>>= 1;
    }
    return last == 0 && earlier.equals(earlierRoot) && later.equals(laterRoot);
  }
}
