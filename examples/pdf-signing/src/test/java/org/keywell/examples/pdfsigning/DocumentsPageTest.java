package org.keywell.examples.pdfsigning;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What readers copy from the documentation is what was compiled and tried. */
final class DocumentsPageTest {

  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({"README.md, 1", "docs/DOCUMENTS.md, 5"})
  void itsJavaIsThatOfTheSnippets(String page, int howMany) throws IOException {
    String snippets =
        plain(
            Files.readString(
                Path.of("src/test/java/org/keywell/examples/pdfsigning/Snippets.java")));
    List<String> blocks =
        JAVA.matcher(Files.readString(Path.of("../..").resolve(page)))
            .results()
            .map(block -> plain(block.group(1)))
            .toList();
    assertThat(blocks).hasSize(howMany).allSatisfy(block -> assertThat(snippets).contains(block));
  }

  private static String plain(String java) {
    return java.replaceAll("\\s+", " ").strip();
  }
}
