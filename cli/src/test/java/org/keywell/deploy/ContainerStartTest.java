package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.deploy.Deployment.ROOT;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image's entry point, with a program in Java's place that tells how it was started. */
class ContainerStartTest {

  @TempDir private Path directory;

  private Path tokens;

  @BeforeEach
  void prepare() throws IOException {
    tokens = directory.resolve("home/softhsm/tokens");
    Path java = Files.createDirectory(directory.resolve("bin")).resolve("java");
    Files.writeString(
        java, "#!/bin/sh\necho \"$KEYWELL_HSM_PINFILE\"\nfor a in \"$@\"; do echo \"$a\"; done\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        directory.resolve("softhsm2.conf"),
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\n");
  }

  /** The PIN file that the service is told, then its arguments. */
  private List<String> start(Path pinFile, String module) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash", ROOT.resolve("launcher/container-start.sh").toString(), "bootstrap");
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                directory.resolve("bin") + ":" + System.getenv("PATH"),
                "TMPDIR",
                directory.toString(),
                "SOFTHSM2_CONF",
                directory.resolve("softhsm2.conf").toString(),
                "KEYWELL_HSM_MODULE",
                module,
                "KEYWELL_HSM_PINFILE",
                pinFile.toString()));
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  private Path pin(String permissions) throws IOException {
    Path file = Files.writeString(directory.resolve("pin"), "1234");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /** SoftHSM cannot start without it, and volumes may be empty. */
  @Test
  void softHsmsDirectoryIsMadeForItsOwnerAlone() throws Exception {
    List<String> _ = start(pin("rw-------"), "/usr/lib/softhsm/libsofthsm2.so");

    assertThat(tokens).isDirectory();
    assertThat(permissions(tokens)).isEqualTo("rwx------");
  }

  @Test
  void anotherModuleGetsNoDirectory() throws Exception {
    List<String> _ = start(pin("rw-------"), "/opt/vendor/lib/libpkcs11.so");

    assertThat(tokens).doesNotExist();
  }

  @Test
  void aPinFileThatOthersCanReadIsCopiedToAPrivateOne() throws Exception {
    Path open = pin("r--r-----");

    Path used = Path.of(start(open, "/opt/vendor/lib/libpkcs11.so").getFirst());

    assertThat(used).isNotEqualTo(open).hasContent("1234");
    assertThat(permissions(used)).isEqualTo("rw-------");
  }

  @Test
  void aPrivatePinFileIsUsedAsItIs() throws Exception {
    Path closed = pin("r--------");

    assertThat(start(closed, "/opt/vendor/lib/libpkcs11.so"))
        .first()
        .hasToString(closed.toString());
  }

  @Test
  void aServiceWithoutMemoryEnds() throws Exception {
    assertThat(start(pin("rw-------"), "/opt/vendor/lib/libpkcs11.so"))
        .contains("-XX:+ExitOnOutOfMemoryError");
  }

  @Test
  void javaGetsTheCommand() throws Exception {
    assertThat(start(pin("rw-------"), "/opt/vendor/lib/libpkcs11.so"))
        .endsWith("-jar", "/opt/keywell/keywell-service.jar", "bootstrap");
  }
}
