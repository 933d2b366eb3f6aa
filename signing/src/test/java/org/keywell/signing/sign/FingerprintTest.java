package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FingerprintTest {

  /** Every way to cut a text into fields, with absent ones in between, gives another value. */
  @Test
  void noTwoSplitsCollide() {
    Map<String, List<@Nullable String>> seen = new HashMap<>();
    String text = "ab, c=null";
    for (int first = 0; first <= text.length(); first++) {
      for (int second = first; second <= text.length(); second++) {
        List<@Nullable String> fields = new ArrayList<>();
        fields.add(text.substring(0, first));
        fields.add(text.substring(first, second));
        fields.add(text.substring(second));
        for (int absent = 0; absent <= fields.size(); absent++) {
          List<@Nullable String> withAbsent = new ArrayList<>(fields);
          withAbsent.add(absent, null);
          assertThat(seen.put(of(withAbsent), withAbsent)).isNull();
        }
        assertThat(seen.put(of(fields), fields)).isNull();
      }
    }
  }

  @Test
  void absentIsNotEmptyAndNotTheWordNull() {
    List<@Nullable String> absent = new ArrayList<>();
    absent.add(null);

    assertThat(List.of(of(absent), of(List.of("")), of(List.of("null")), of(List.of())))
        .doesNotHaveDuplicates();
  }

  @Test
  void equalFieldsGiveEqualValues() {
    assertThat(of(List.of("a", "b"))).isEqualTo(of(List.of("a", "b")));
    assertThat(new Fingerprint().add("å").sha256())
        .isEqualTo(new Fingerprint().add(new byte[] {(byte) 0xC3, (byte) 0xA5}).sha256())
        .hasSize(32);
  }

  private static String of(List<@Nullable String> fields) {
    Fingerprint fingerprint = new Fingerprint();
    for (@Nullable String field : fields) {
      fingerprint.add(field);
    }
    return HexFormat.of().formatHex(fingerprint.sha256());
  }
}
