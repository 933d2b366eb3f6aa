package org.keywell.kmip.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.Tag;

/** What our code names, the tables have: it looks names up only when it needs them. */
final class NamesTest {

  private static final Pattern REASON = Pattern.compile("new KmipException\\(\\s*\"(\\w+)\"");

  private static final Pattern TAG_OR_ATTRIBUTE =
      Pattern.compile(
          "(?:\\bTag\\.named|Attributes\\.named|optional|required|repeated|inside|number"
              + "|choice|choices|choiceIfAny|bytes|bytesIfAny|flag|text|integer|id|structure|in"
              + "|first|has|stamped|isReached|with|set|(?<!custody)\\.add|new Fields)"
              + "\\(\\s*\"([A-Z][A-Za-z0-9 ]*)\"(?=[,)])");

  private static final Pattern CHOICE =
      Pattern.compile(
          "\\bchoice\\(\\s*\"(\\w+)\", \"(\\w+)\"\\)|Tag\\.named\\(\"(\\w+)\"\\)"
              + "\\.item\\(\"(\\w+)\"\\)");

  @Test
  void reasonsExist() throws IOException {
    List<MatchResult> all = all(REASON);

    assertThat(all).hasSizeGreaterThan(80);
    for (MatchResult each : all) {
      assertThatCode(() -> Enumerations.named("ResultReason", each.group(1)))
          .as(each.group())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void tagsAndAttributesExist() throws IOException {
    List<MatchResult> all = all(TAG_OR_ATTRIBUTE);

    assertThat(all).hasSizeGreaterThan(150);
    List<String> tags = Tag.all().stream().map(Tag::name).toList();
    for (MatchResult each : all) {
      String name = each.group(1);
      assertThat(tags.contains(name) || Attribute.named(name) != null).as(each.group()).isTrue();
    }
  }

  @Test
  void valuesExist() throws IOException {
    List<MatchResult> all = all(CHOICE);

    assertThat(all).hasSizeGreaterThan(5);
    for (MatchResult each : all) {
      boolean built = each.group(1) != null;
      Tag tag = Tag.named(each.group(built ? 1 : 3));
      assertThatCode(() -> tag.item(each.group(built ? 2 : 4)))
          .as(each.group())
          .doesNotThrowAnyException();
    }
  }

  private static List<MatchResult> all(Pattern pattern) throws IOException {
    try (Stream<Path> here = Files.walk(Path.of("src/main/java"));
        Stream<Path> messages = Files.walk(Path.of("../kmip-messages/src/main/java"))) {
      return Stream.concat(here, messages)
          .filter(each -> each.toString().endsWith(".java"))
          .flatMap(each -> pattern.matcher(read(each)).results())
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
