package org.keywell.loadgen.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.samskivert.mustache.MustacheException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TextTemplateTest {

  record Inner(double millis, @Nullable Double none) {}

  record Document(int count, String name, Inner inner, List<Inner> all, boolean yes, boolean no) {}

  private static final Document DOCUMENT =
      new Document(
          1_234,
          "<x> {count}",
          new Inner(12.345, null),
          List.of(new Inner(1, 2.0), new Inner(3, null)),
          true,
          false);

  private static String text(String template) {
    return TextTemplate.of(template).with(DOCUMENT);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "{count}, 1234",
        "{count:0}, 1234",
        "\"{count:,0}\", \"1,234\"",
        "\"{count:,0.00}\", \"1,234.00\"",
        "{inner.millis:0.0}, 12.3",
        "{inner.millis:millis}, 12.35 ms",
        "{inner.none:0.0}, –",
        "[{inner.none.deeper:0.0|4}], [   –]",
        "{name}, <x> {count}",
        "[{count:0|8}], [    1234]",
        "[{count:0|-8}], [1234    ]",
      })
  void figuresStandWhereTheyAreNamed(String template, String expected) {
    assertThat(text(template)).isEqualTo(expected);
  }

  @Test
  void partsStandForEachElementOrNotAtAll() {
    assertThat(text("{#all}{millis:0}:{none:0} of {count}; {/all}"))
        .isEqualTo("1:2 of 1234; 3:– of 1234; ");
    assertThat(text("{#yes}a{/yes}{^yes}b{/yes}{#no}c{/no}{^no}d{/no}{#inner.none}e{/inner.none}"))
        .isEqualTo("ad");
    assertThat(TextTemplate.of("{#names}{.} {/names}").with(Map.of("names", List.of("a", "b"))))
        .isEqualTo("a b ");
  }

  @Test
  void aFractionIsNotNothing() {
    assertThat(TextTemplate.of("{#share}{.:0.00}{/share}").with(Map.of("share", 0.25)))
        .isEqualTo("0.25");
    assertThat(TextTemplate.of("{#share}{.:0.00}{/share}").with(Map.of("share", 0.0))).isEmpty();
  }

  @Test
  void nothingIsLeftOfLinesThatOnlyBeginOrEndAPart() {
    assertThat(text("x\n{#all}\n  {millis:0}\n{/all}\n{^no}\ny\n{/no}\n"))
        .isEqualTo("x\n  1\n  3\ny\n");
  }

  @ParameterizedTest
  @CsvSource({"0.99999, 99.99 %", "1, 100 %", "1e-9, 0 %", "0.6, 60 %"})
  void sharesAreNeverRoundedUpToAll(double share, String expected) {
    assertThat(TextTemplate.of("{share:percent}").with(Map.of("share", share))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{nobody}", "{inner.nothing}", "{count:furlongs}", "{#all}", "{/all}"})
  void aMistakeInATemplateIsAnError(String template) {
    assertThatThrownBy(() -> text(template))
        .isInstanceOfAny(IllegalStateException.class, MustacheException.class);
  }
}
