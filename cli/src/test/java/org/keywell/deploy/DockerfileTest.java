package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.deploy.Deployment.ROOT;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the Dockerfile promises, held on machines without Docker, too. */
class DockerfileTest {

  private static final Pattern FROM = Pattern.compile("FROM (\\S+)(?: AS (\\S+))?");
  private static final Pattern COPY = Pattern.compile("COPY ((?:--\\S+ )*)(.+)");
  private static final Pattern TEMURIN =
      Pattern.compile(
          "eclipse-temurin:(25\\.\\d+\\.\\d+_\\d+)-(?:jdk|jre)-noble(?:@sha256:[0-9a-f]{64})?");

  /** Instructions, one a line. */
  private static List<String> instructions = List.of();

  private static List<String> buildContext = List.of();

  @BeforeAll
  static void read() throws IOException {
    String text = Files.readString(ROOT.resolve("Dockerfile"));
    instructions =
        text.replaceAll("(?m)^\\s*#.*\\R", "").replaceAll("\\\\\\R\\s*", "").lines().toList();
    buildContext =
        Files.readAllLines(ROOT.resolve(".dockerignore")).stream()
            .filter(line -> line.startsWith("!"))
            .map(line -> line.substring(1))
            .toList();
  }

  private static List<Matcher> matching(Pattern pattern) {
    return instructions.stream().map(pattern::matcher).filter(Matcher::matches).toList();
  }

  @Test
  void baseImagesArePinnedAndOfOneJavaVersion() {
    List<String> stages = new ArrayList<>();
    List<String> versions = new ArrayList<>();
    for (Matcher from : matching(FROM)) {
      if (!stages.contains(from.group(1))) {
        Matcher base = TEMURIN.matcher(from.group(1));
        assertThat(base.matches()).as(from.group(1)).isTrue();
        versions.add(base.group(1));
      }
      stages.add(String.valueOf(from.group(2)));
    }
    assertThat(versions).hasSize(2);
    assertThat(versions.getFirst()).isEqualTo(versions.getLast());
  }

  @Test
  void theServiceDoesNotRunAsRoot() {
    Map<String, String> users = new HashMap<>();
    String stage = "";
    for (String instruction : instructions) {
      Matcher from = FROM.matcher(instruction);
      if (from.matches()) {
        stage = String.valueOf(from.group(2));
        users.put(stage, users.getOrDefault(from.group(1), "root"));
      } else if (instruction.startsWith("USER ")) {
        users.put(stage, instruction.substring("USER ".length()));
      }
    }
    assertThat(users.get(stage)).isEqualTo("keywell");
  }

  @Test
  void signalsReachTheServiceAndItsHealthIsChecked() {
    assertThat(instructions)
        .contains("CMD [\"serve\"]")
        .anyMatch(line -> line.startsWith("ENTRYPOINT [\"bash\", "))
        .anyMatch(line -> line.matches("HEALTHCHECK .*CMD \\[.*"));
  }

  /** Otherwise only a build in Docker would notice that .dockerignore keeps a file out. */
  @Test
  void whatIsCopiedIsInTheBuildContext() {
    for (Matcher copy : matching(COPY)) {
      List<String> words = Arrays.asList(copy.group(2).split(" ", -1));
      for (String source : words.subList(0, words.size() - 1)) {
        if (!copy.group(1).contains("--from=") && !source.equals(".")) {
          assertThat(ROOT.resolve(source)).exists();
          assertThat(buildContext).as(source).anyMatch(glob -> matches(glob, source));
        }
      }
    }
  }

  private static boolean matches(String glob, String path) {
    return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(Path.of(path));
  }

  /** All of them: Maven reads every module before it builds one. */
  @Test
  void theBuildContextHasEveryModule() throws IOException {
    Pattern module = Pattern.compile("<module>(.+)</module>");

    List<String> modules =
        module
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(result -> result.group(1).replaceFirst("/.*", ""))
            .toList();
    assertThat(modules).isNotEmpty();
    assertThat(buildContext).containsAll(modules);
  }
}
