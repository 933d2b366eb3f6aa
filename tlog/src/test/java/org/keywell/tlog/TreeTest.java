package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TreeTest {

  /** Covers each shape of the last two levels around 64. */
  private static final int SIZES = 70;

  private final PlainTree plain = PlainTree.of(SIZES);

  /** The entries and roots with which Certificate Transparency's implementations are tested. */
  @Test
  void hasTheRootsOfCertificateTransparency() {
    List<TreeHash> leaves =
        Stream.of(
                "",
                "00",
                "10",
                "2021",
                "3031",
                "40414243",
                "5051525354555657",
                "606162636465666768696a6b6c6d6e6f")
            .map(HexFormat.of()::parseHex)
            .map(TreeHash::ofLeaf)
            .toList();
    List<String> roots =
        List.of(
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
            "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
            "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
            "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
            "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
            "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
            "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
    for (int size = 0; size <= leaves.size(); size++) {
      RightEdge edge = RightEdge.empty().append(leaves.subList(0, size)).edge();
      assertThat(HexFormat.of().formatHex(edge.root().bytes())).isEqualTo(roots.get(size));
    }
  }

  @Test
  void provesThatEachEntryIsInEachTree() {
    for (int size = 0; size <= SIZES; size++) {
      Tree tree = new Tree(size, plain);
      TreeHash root = PlainTree.root(PlainTree.leaves(0, size));
      assertThat(tree.root()).isEqualTo(root);
      for (int index = 0; index < size; index++) {
        List<TreeHash> proof = tree.inclusionProof(index);
        TreeHash leaf = PlainTree.leaf(index);
        assertThat(Proofs.includes(root, size, leaf, index, proof)).isTrue();
        assertThat(Proofs.includes(root, size, PlainTree.leaf(size), index, proof)).isFalse();
        assertThat(Proofs.includes(root, size, leaf, (index + 1) % size, proof))
            .isEqualTo(size == 1);
        assertThat(Proofs.includes(root, size, leaf, size, proof)).isFalse();
        for (List<TreeHash> wrong : spoilt(proof)) {
          assertThat(Proofs.includes(root, size, leaf, index, wrong)).isFalse();
        }
      }
    }
  }

  @Test
  void provesThatEachTreeContinuesEachSmallerOne() {
    for (int size = 0; size <= SIZES; size++) {
      Tree tree = new Tree(size, plain);
      for (int earlier = 0; earlier <= size; earlier++) {
        List<TreeHash> proof = tree.consistencyProof(earlier);
        TreeHash before = new Tree(earlier, plain).root();
        assertThat(Proofs.continues(earlier, before, size, tree.root(), proof)).isTrue();
        TreeHash other = PlainTree.leaf(SIZES);
        assertThat(Proofs.continues(earlier, other, size, tree.root(), proof)).isFalse();
        if (earlier > 0) {
          assertThat(Proofs.continues(earlier, before, size, other, proof)).isFalse();
        }
        for (List<TreeHash> wrong : spoilt(proof)) {
          assertThat(Proofs.continues(earlier, before, size, tree.root(), wrong)).isFalse();
        }
      }
    }
  }

  @Test
  void refusesWhatIsBeyondTheTree() {
    Tree tree = new Tree(5, plain);

    assertThatIllegalArgumentException().isThrownBy(() -> tree.inclusionProof(5));
    assertThatIllegalArgumentException().isThrownBy(() -> tree.inclusionProof(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> tree.consistencyProof(6));
    assertThatIllegalArgumentException().isThrownBy(() -> new Tree(-1, plain));
    assertThat(Proofs.continues(6, tree.root(), 5, tree.root(), List.of())).isFalse();
  }

  /** One hash more, one fewer, and each one replaced. */
  private static List<List<TreeHash>> spoilt(List<TreeHash> proof) {
    List<List<TreeHash>> all = new ArrayList<>();
    List<TreeHash> longer = new ArrayList<>(proof);
    longer.add(PlainTree.leaf(SIZES));
    all.add(longer);
    for (int i = 0; i < proof.size(); i++) {
      List<TreeHash> other = new ArrayList<>(proof);
      other.set(i, PlainTree.leaf(SIZES));
      all.add(other);
      List<TreeHash> shorter = new ArrayList<>(proof);
      shorter.remove(i);
      all.add(shorter);
    }
    return all;
  }
}
