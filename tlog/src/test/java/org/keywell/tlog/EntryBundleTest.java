package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntryBundleTest {

  @Test
  void returnsTheEntries() {
    byte[] longest = new byte[EntryBundle.MAX_ENTRY];
    Arrays.fill(longest, (byte) 0xFF);
    List<byte[]> entries = List.of(new byte[0], new byte[] {1, 2, 3}, longest);

    byte[] bundle = EntryBundle.encode(entries);

    assertThat(bundle).startsWith(0, 0, 0, 3, 1, 2, 3, 0xFF, 0xFF, 0xFF);
    assertThat(EntryBundle.decode(bundle)).usingRecursiveComparison().isEqualTo(entries);
  }

  @Test
  void refusesWhatTheFormatCannotHold() {
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> EntryBundle.encode(List.of(new byte[EntryBundle.MAX_ENTRY + 1])));
  }

  @Test
  void refusesEachCutWithinAnEntry() {
    byte[] bundle = EntryBundle.encode(List.of(new byte[] {1, 2}, new byte[] {3}));

    for (int length = 1; length < bundle.length; length++) {
      byte[] cut = Arrays.copyOf(bundle, length);
      if (length == 4) {
        assertThat(EntryBundle.decode(cut)).hasSize(1);
      } else {
        assertThatExceptionOfType(LogFormatException.class)
            .isThrownBy(() -> EntryBundle.decode(cut));
      }
    }
  }
}
