package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RightEdgeTest {

  /** Three levels of tiles. */
  private static final int SIZE = 70_000;

  private final Map<TileId, byte[]> stored = new HashMap<>();
  private final TileSource tiles = tile -> Optional.ofNullable(stored.get(tile));

  private RightEdge edge = RightEdge.empty();

  private void append(int entries) {
    int size = (int) edge.size();
    RightEdge.Grown grown = edge.append(PlainTree.leaves(size, size + entries));
    stored.putAll(grown.tiles());
    edge = grown.edge();
  }

  @Test
  void growsTheSameTreeInAnySteps() {
    Random random = new Random(7);
    PlainTree plain = PlainTree.of(2_000);
    while (edge.size() < 1_400) {
      append(random.nextInt(300));
      TreeHash root = new Tree(edge.size(), plain).root();
      assertThat(edge.root()).isEqualTo(root);
      assertThat(RightEdge.read(edge.size(), tiles).root()).isEqualTo(root);
      assertThat(new Tree(edge.size(), new TileHashes(edge.size(), tiles)).root()).isEqualTo(root);
    }
  }

  @Test
  void continuesFromStoredTiles() {
    append(1_000);
    edge = RightEdge.read(1_000, tiles);

    append(500);

    assertThat(edge.root()).isEqualTo(PlainTree.of(1_500).root());
  }

  /** The example of C2SP tlog-tiles, "Partial Tiles". */
  @Test
  void hasTheTilesOfTheSpecificationsExample() {
    append(SIZE);

    assertThat(stored.keySet().stream().filter(tile -> level(tile) == 0 && tile.isFull()))
        .hasSize(273);
    assertThat(stored)
        .hasSize(273 + 4)
        .containsKeys(
            TileId.ofHashes(0, 273, 112),
            TileId.ofHashes(1, 0, 256),
            TileId.ofHashes(1, 1, 17),
            TileId.ofHashes(2, 0, 1));
  }

  private static int level(TileId tile) {
    return Objects.requireNonNull(tile.level());
  }

  @Test
  void aTreeOfOneFullTileHasNoPartialOneBelow() {
    append(256);

    assertThat(stored).containsOnlyKeys(TileId.ofHashes(0, 0, 256), TileId.ofHashes(1, 0, 1));
  }

  @Test
  void provesFromTilesAtEachDistance() {
    append(SIZE);
    Tree tree = new Tree(SIZE, new TileHashes(SIZE, tiles));
    TreeHash root = edge.root();

    for (int index : List.of(0, 255, 256, 65_535, 65_536, 69_887, 69_888, SIZE - 1)) {
      assertThat(
              Proofs.includes(root, SIZE, PlainTree.leaf(index), index, tree.inclusionProof(index)))
          .isTrue();
      TreeHash before = new Tree(index + 1, new TileHashes(SIZE, tiles)).root();
      assertThat(Proofs.continues(index + 1, before, SIZE, root, tree.consistencyProof(index + 1)))
          .isTrue();
    }
  }

  @Test
  void aDeletedPartialTileIsReadFromTheFullOne() {
    append(300);
    TreeHash root = edge.root();
    append(400);
    assertThat(stored.remove(TileId.ofHashes(0, 1, 44))).isNotNull();

    assertThat(new Tree(300, new TileHashes(300, tiles)).root()).isEqualTo(root);
  }

  @Test
  void aMissingTileIsNamed() {
    append(300);
    assertThat(stored.remove(TileId.ofHashes(0, 0, 256))).isNotNull();
    Tree tree = new Tree(300, new TileHashes(300, tiles));

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> tree.inclusionProof(3))
        .withMessage("the log has no tile/0/000");
  }

  @Test
  void aTileThatIsTooShortIsNamed() {
    append(300);
    stored.put(TileId.ofHashes(0, 0, 256), new byte[TreeHash.LENGTH]);
    Tree tree = new Tree(300, new TileHashes(300, tiles));

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> tree.inclusionProof(3))
        .withMessageContaining("tile/0/000");
  }
}
