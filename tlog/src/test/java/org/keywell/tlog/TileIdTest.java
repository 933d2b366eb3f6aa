package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TileIdTest {

  @Test
  void writesPathsAsTheSpecificationDoes() {
    assertThat(TileId.ofHashes(0, 1_234_067, 256).path()).isEqualTo("tile/0/x001/x234/067");
    assertThat(TileId.ofHashes(3, 0, 7).path()).isEqualTo("tile/3/000.p/7");
    assertThat(TileId.ofEntries(1_000, 256).path()).isEqualTo("tile/entries/x001/000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tile/0/000",
        "tile/63/x001/x234/067.p/255",
        "tile/entries/000.p/1",
        "tile/entries/x009/x223/x372/x036/x854/x775/807"
      })
  void readsWhatItWrites(String path) {
    assertThat(TileId.parse(path).path()).isEqualTo(path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tile/0/0",
        "tile/00/000",
        "tile/64/000",
        "tile/-1/000",
        "tile/0/x000/000",
        "tile/0/001/000",
        "tile/0/x001/x000",
        "tile/0/000.p/0",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/257",
        "tile/0/000/",
        "tile/0/000\n",
        "/tile/0/000",
        "tile/entries/../000",
        "tile/entries/x009/x223/x372/x036/x854/x775/808",
        "tile/entries/x999/x999/x999/x999/x999/x999/x999/999"
      })
  void refusesOtherPaths(String path) {
    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> TileId.parse(path));
  }
}
