package org.keywell.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Applications of Java 17 can load the library and all that it brings. That it uses no newer API is
 * the compiler's matter ({@code --release}).
 */
class JavaVersionTest {

  /** The major version of Java 17's class files (JVMS, table 4.1-A). */
  private static final int JAVA_17 = 61;

  @Test
  void theLibraryIsForJava17() throws Exception {
    assertThat(versionsOf(KeywellClient.class))
        .isNotEmpty()
        .allSatisfy((_, version) -> assertThat(version).isEqualTo(JAVA_17));
  }

  @ParameterizedTest
  @ValueSource(classes = {JsonMapper.class, JsonParser.class, JsonInclude.class, Nullable.class})
  void whatItNeedsIsForJava17OrOlder(Class<?> part) throws Exception {
    assertThat(versionsOf(part))
        .isNotEmpty()
        .allSatisfy((_, version) -> assertThat(version).isLessThanOrEqualTo(JAVA_17));
  }

  /** Of each class in the jar or directory that a class comes from. */
  private static Map<String, Integer> versionsOf(Class<?> part) throws Exception {
    Path place = Path.of(part.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (Files.isDirectory(place)) {
      return versionsIn(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
      return versionsIn(jar.getPath("/"));
    }
  }

  private static Map<String, Integer> versionsIn(Path root) throws IOException {
    List<Path> classes;
    try (Stream<Path> files = Files.walk(root)) {
      classes =
          files
              .filter(file -> file.toString().endsWith(".class"))
              // Read by newer versions of Java alone.
              .filter(file -> !file.toString().contains("META-INF/versions/"))
              .toList();
    }
    Map<String, Integer> versions = new TreeMap<>();
    for (Path file : classes) {
      versions.put(file.toString(), majorVersion(file));
    }
    return versions;
  }

  private static int majorVersion(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        DataInputStream data = new DataInputStream(in)) {
      assertThat(data.readInt()).as(file.toString()).isEqualTo(0xCAFEBABE);
      assertThat(data.readUnsignedShort()).as("minor version of " + file).isZero();
      return data.readUnsignedShort();
    }
  }
}
