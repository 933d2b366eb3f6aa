package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NumberedContentTest {

  @Test
  void everyRequestOfEveryRunHasADigestOfItsOwn() {
    Set<String> digests = new HashSet<>();
    for (long seed : new long[] {0, 1, -1, Long.MIN_VALUE}) {
      NumberedContent content = new NumberedContent(seed);
      for (int request = 1; request <= 500; request++) {
        digests.add(HexFormat.of().formatHex(content.digestOf(request)));
      }
    }
    assertThat(digests).hasSize(2_000);
  }

  @Test
  void theContentCanBeMadeAgain() {
    assertThat(new NumberedContent(7).of(3)).isEqualTo(new NumberedContent(7).of(3));
  }
}
