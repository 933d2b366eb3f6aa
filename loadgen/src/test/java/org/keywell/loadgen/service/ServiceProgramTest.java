package org.keywell.loadgen.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceProgramTest {

  private static ServiceProgram program(Map<String, String> environment, String... command) {
    return new ServiceProgram(List.of(command), environment, Path.of("logs"), Redirect.DISCARD);
  }

  @Test
  void aMeasurementsSettingsAreItsAlone() {
    program(Map.of("KEYWELL_HOME", "/x", "KEYWELL_KMIP_PORT", "")).requireUnset("KEYWELL_KMIP_");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> program(Map.of("KEYWELL_KMIP_PORT", "5696")).requireUnset("KEYWELL_KMIP_"))
        .withMessageEndingWith("unset KEYWELL_KMIP_PORT");
  }

  @Test
  @Tag("process")
  void aShortCommandsLastLineSaysWhyItFailed(@TempDir Path folder) throws Exception {
    Path made = folder.resolve("made");
    program(Map.of(), "/bin/sh", "-c", "echo \"$0 $1\" >'" + made + "'").run("xks", "list");
    assertThat(Files.readString(made)).isEqualTo("xks list\n");

    assertThatIOException()
        .isThrownBy(() ->
            program(Map.of(), "/bin/sh", "-c", "echo one; echo two >&2; echo; exit 2").run("xks"))
        .withMessage("xks: two");
  }
}
