package org.keywell.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/** The C source of {@link FaultyModule} and its compiled library. */
final class FaultySource {

  private static final Path DIRECTORY = Path.of("target", "softhsm").toAbsolutePath();
  private static final Pattern FUNCTION = Pattern.compile("(?m)^  F\\((C_\\w+), ");
  private static final String TEXT = read();

  /** The functions of {@code CK_FUNCTION_LIST}, in its order. */
  static final List<String> FUNCTIONS =
      FUNCTION.matcher(TEXT).results().map((MatchResult found) -> found.group(1)).toList();

  private FaultySource() {}

  private static String read() {
    try (InputStream source = FaultySource.class.getResourceAsStream("faulty-pkcs11.c")) {
      return new String(Objects.requireNonNull(source).readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the compiled module, below {@code target/softhsm}; compiles it on first use. */
  static synchronized Path library() {
    CRC32 version = new CRC32();
    version.update(TEXT.getBytes(UTF_8));
    Path library = DIRECTORY.resolve("faulty-pkcs11-%08x.so".formatted(version.getValue()));
    if (!Files.exists(library)) {
      try {
        compile(library);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return library;
  }

  /** Other forked JVMs may do the same now; it does not matter which one finishes last. */
  private static void compile(Path library) throws IOException {
    Files.createDirectories(DIRECTORY);
    Path work = Files.createTempDirectory(DIRECTORY, "faulty");
    Path source = Files.writeString(work.resolve("faulty-pkcs11.c"), TEXT);
    Path made = work.resolve("faulty-pkcs11.so");
    run(
        List.of("-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-o"),
        List.of(made.toString(), source.toString(), "-ldl", "-lpthread"));
    Files.move(made, library, ATOMIC_MOVE);
    Files.delete(source);
    Files.delete(work);
  }

  private static List<List<String>> compilers() {
    String set = System.getenv("CC");
    return set == null || set.isBlank()
        ? List.of(List.of("cc"), List.of("gcc"))
        : List.of(List.of(set.strip().split("\\s+", -1)));
  }

  private static void run(List<String> options, List<String> files) throws IOException {
    for (List<String> compiler : compilers()) {
      List<String> line = new ArrayList<>(compiler);
      line.addAll(options);
      line.addAll(files);
      Process process;
      try {
        process = new ProcessBuilder(line).redirectErrorStream(true).start();
      } catch (IOException e) {
        continue;
      }
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (process.onExit().join().exitValue() != 0) {
        throw new AssertionError(String.join(" ", line) + " failed:\n" + said);
      }
      return;
    }
    throw new AssertionError(
        String.format(
            Locale.ROOT,
            "tests need a C compiler (Debian packages gcc and libc6-dev), none of %s is on the path;"
                + " install one or set CC",
            compilers()));
  }
}
