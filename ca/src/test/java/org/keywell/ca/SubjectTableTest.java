package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The API's table of names that are accepted and refused tells the truth, at the defaults. */
class SubjectTableTest {

  private static final Path API = Path.of("..", "docs", "API.md");

  private static final Pattern ROW =
      Pattern.compile("\\| `(\\w+)` \\| `\"(.*)\"` \\| (accepted|refused) \\|.*");

  private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-F]{4})");

  /**
   * @param json the value with JSON's escapes, which can be shown
   */
  record Row(SubjectAttribute attribute, String json, boolean accepted) {

    static Row of(MatchResult row) {
      SubjectAttribute attribute =
          Stream.of(SubjectAttribute.values())
              .filter(known -> known.label().equals(row.group(1)))
              .findAny()
              .orElseThrow();
      return new Row(attribute, row.group(2), row.group(3).equals("accepted"));
    }

    String value() {
      return ESCAPE
          .matcher(json)
          .replaceAll(escape -> String.valueOf((char) Integer.parseInt(escape.group(1), 16)));
    }
  }

  static List<Row> table() throws IOException {
    return Files.readAllLines(API).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(row -> Row.of(row.toMatchResult()))
        .toList();
  }

  @Test
  void theTableHasRows() throws IOException {
    assertThat(table()).filteredOn(Row::accepted).hasSizeGreaterThan(10);
    assertThat(table()).filteredOn(row -> !row.accepted()).hasSizeGreaterThan(30);
  }

  @ParameterizedTest
  @MethodSource("table")
  void aRowTellsWhatHappens(Row row) {
    if (row.accepted()) {
      assertThatCode(() -> LookAlikeNames.refuse(SubjectTest.with(row.attribute(), row.value())))
          .doesNotThrowAnyException();
    } else {
      assertThatExceptionOfType(InvalidSubjectException.class)
          .isThrownBy(() -> LookAlikeNames.refuse(SubjectTest.with(row.attribute(), row.value())))
          .satisfies(e -> assertThat(e.attribute()).isEqualTo(row.attribute()));
    }
  }
}
