package org.keywell.bench.raw;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The C program, compiled for this machine. */
final class CycleProgram {

  private static final String SOURCE = "cycle.c";

  private CycleProgram() {}

  /**
   * Compiles the program.
   *
   * @param folder for source and program
   * @return the program
   * @throws IOException if there is no C compiler, or it fails
   */
  static Path compiled(Path folder) throws IOException, InterruptedException {
    Path source = folder.resolve(SOURCE);
    Path program = folder.resolve("cycle");
    Files.createDirectories(folder);
    try (InputStream text = CycleProgram.class.getResourceAsStream(SOURCE)) {
      Files.write(source, Objects.requireNonNull(text).readAllBytes());
    }
    List<String> line =
        Stream.concat(
                compiler().stream(),
                Stream.of(
                    "-std=c11",
                    "-O2",
                    "-Wall",
                    "-Wextra",
                    "-o",
                    program.toString(),
                    source.toString(),
                    "-ldl",
                    "-lpthread"))
            .toList();
    Process compilation = start(line);
    String said = new String(compilation.getInputStream().readAllBytes(), UTF_8);
    if (compilation.waitFor() != 0) {
      throw new IOException(String.join(" ", line) + " failed: " + said.strip());
    }
    return program;
  }

  private static Process start(List<String> line) throws IOException {
    try {
      return new ProcessBuilder(line).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new IOException(
          "there is no C compiler (Debian: gcc and libc6-dev): " + e.getMessage(), e);
    }
  }

  private static List<String> compiler() {
    String set = System.getenv("CC");
    return set == null || set.isBlank() ? List.of("cc") : List.of(set.strip().split("\\s+"));
  }
}
