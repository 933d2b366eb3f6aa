package org.keywell.operations.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.util.DigestUtils;
import org.webjars.WebJarVersionLocator;

/**
 * The files of the page: a fixed set, read once. The plotting library comes from its WebJar and is
 * served without its version in the path. Immutable.
 */
final class ConsoleFiles {

  static final String PAGE = "console.html";

  private static final MediaType JAVASCRIPT =
      MediaType.parseMediaType("text/javascript;charset=UTF-8");

  private static final Map<String, MediaType> OWN =
      Map.of(
          PAGE,
          MediaType.parseMediaType("text/html;charset=UTF-8"),
          "console.css",
          MediaType.parseMediaType("text/css;charset=UTF-8"),
          "icon.svg",
          MediaType.parseMediaType("image/svg+xml"),
          "console.js",
          JAVASCRIPT,
          "figures.js",
          JAVASCRIPT,
          "format.js",
          JAVASCRIPT,
          "plots.js",
          JAVASCRIPT,
          "requests.js",
          JAVASCRIPT);

  private static final String LIBRARY = "chart.js";
  private static final String LIBRARY_FILE = "dist/chart.umd.min.js";

  /**
   * A file.
   *
   * @param etag identifies the content (RFC 9110, section 8.8.3)
   */
  record ConsoleFile(byte[] content, MediaType type, String etag) {}

  private final Map<String, ConsoleFile> files = new LinkedHashMap<>();

  /**
   * @throws IllegalStateException if a file is not on the class path
   */
  ConsoleFiles() {
    OWN.forEach((name, type) -> files.put(name, read("/console/" + name, type)));
    String library = new WebJarVersionLocator().fullPath(LIBRARY, LIBRARY_FILE);
    files.put("chart.js", read("/" + library, JAVASCRIPT));
  }

  /** Returns the file of this name below {@code /console/}. */
  Optional<ConsoleFile> find(String name) {
    return Optional.ofNullable(files.get(name));
  }

  private static ConsoleFile read(String path, MediaType type) {
    try (InputStream file = ConsoleFiles.class.getResourceAsStream(path)) {
      if (file == null) {
        throw new IllegalStateException("the console's file " + path + " is not on the class path");
      }
      byte[] content = file.readAllBytes();
      return new ConsoleFile(content, type, '"' + DigestUtils.md5DigestAsHex(content) + '"');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
