package org.keywell.acceptance.running;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs of other makers. The lane for linters sets them up; elsewhere a test is skipped. */
public final class ForeignProgram {

  private static final String DIRECTORY = "KEYWELL_TEST_LINTERS";

  private ForeignProgram() {}

  /** Returns where the lane has put a program, whether it is there or not. */
  public static Path find(String name) {
    String directory = System.getenv(DIRECTORY);
    assumeTrue(directory != null, DIRECTORY + " is not set: run ./keywell test --lint");
    return Path.of(Objects.requireNonNull(directory), "bin", name);
  }

  /**
   * Runs one, which must succeed within two minutes.
   *
   * @param directory in which it works
   * @return what it says, a line each
   */
  public static List<String> run(Path directory, String name, String... arguments)
      throws IOException, InterruptedException {
    return run(
        directory,
        Map.of(),
        Stream.concat(Stream.of(find(name).toString()), Stream.of(arguments)).toList());
  }

  /**
   * As {@link #run(Path, String, String...)}.
   *
   * @param environment in addition to that of this process
   */
  public static List<String> run(
      Path directory, Map<String, String> environment, List<String> command)
      throws IOException, InterruptedException {
    Path said = Files.createTempFile(directory, "said", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> lines = Files.readAllLines(said);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    return lines;
  }

  /**
   * As {@link #run}, for a script beside the tests.
   *
   * @param tests beside which it is
   */
  public static List<String> python(
      Path directory, Class<?> tests, String script, String... arguments)
      throws IOException, InterruptedException {
    return python(directory, Map.of(), tests, script, arguments);
  }

  /**
   * As {@link #python(Path, Class, String, String...)}.
   *
   * @param environment in addition to that of this process
   */
  public static List<String> python(
      Path directory,
      Map<String, String> environment,
      Class<?> tests,
      String script,
      String... arguments)
      throws IOException, InterruptedException {
    Path copy = directory.resolve(script);
    try (InputStream in = tests.getResourceAsStream(script)) {
      Files.copy(Objects.requireNonNull(in), copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return run(
        directory,
        environment,
        Stream.concat(Stream.of(find("python").toString(), copy.toString()), Stream.of(arguments))
            .toList());
  }
}
