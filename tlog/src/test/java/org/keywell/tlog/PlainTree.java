package org.keywell.tlog;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** A tree as RFC 9162, section 2.1.1, defines it: all leaves in memory, nothing remembered. */
final class PlainTree implements HashSource {

  private final List<TreeHash> leaves;

  private PlainTree(List<TreeHash> leaves) {
    this.leaves = leaves;
  }

  /** Entry i is the text "entry i". */
  static PlainTree of(int size) {
    return new PlainTree(leaves(0, size));
  }

  static List<TreeHash> leaves(int from, int to) {
    return IntStream.range(from, to).mapToObj(PlainTree::leaf).toList();
  }

  static TreeHash leaf(int index) {
    return TreeHash.ofLeaf(("entry " + index).getBytes(StandardCharsets.UTF_8));
  }

  TreeHash root() {
    return root(leaves);
  }

  static TreeHash root(List<TreeHash> leaves) {
    if (leaves.isEmpty()) {
      return TreeHash.EMPTY_TREE;
    }
    if (leaves.size() == 1) {
      return leaves.getFirst();
    }
    int split = 1;
    while (split * 2 < leaves.size()) {
      split *= 2;
    }
    return TreeHash.ofNode(
        root(leaves.subList(0, split)), root(leaves.subList(split, leaves.size())));
  }

  @Override
  public TreeHash hash(int level, long index) {
    int from = Math.toIntExact(index << level);
    return root(leaves.subList(from, from + (1 << level)));
  }
}
