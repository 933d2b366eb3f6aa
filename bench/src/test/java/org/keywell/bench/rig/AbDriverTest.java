package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small program stands for ApacheBench. */
@Tag("process")
@Timeout(60)
final class AbDriverTest {
  private static final URI SERVICE = URI.create("http://127.0.0.1:9");

  @TempDir private Path folder = Path.of("");

  private String program(String script) throws IOException {
    Path file = Files.writeString(folder.resolve("ab"), "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }

  private AbRun run(String program) throws IOException, InterruptedException {
    return new AbDriver(folder, program).run(SERVICE, Stock.EC, 80, 8);
  }

  @Test
  void itIsAskedForSoManyRequestsOfSoManyCallers() throws Exception {
    String program =
        program(
            """
            echo "$@" >%s
            printf 'Complete requests: 80\\nFailed requests: 0\\n'
            printf 'Requests per second: 10.5 [#/sec]\\nTime per request: 2.5 [ms] (mean)\\n'
            while [ $# -gt 1 ]; do [ "$1" != -e ] || file=$2; shift; done
            printf '50,1.5\\n99,9.5\\n100,10.5\\n' >"$file"
            """
                .formatted(folder.resolve("asked")));

    assertThat(run(program)).isEqualTo(new AbRun(10.5, 2.5, 1.5, 9.5));

    assertThat(Files.readString(folder.resolve("asked")))
        .contains("-n 80 -c 8 ", " -k ", " http://127.0.0.1:9/sign");
    assertThat(Files.readString(folder.resolve("ab-body")))
        .contains("\"keySpec\":\"EC-P256\"", "\"deadlineMillis\":60000");
  }

  @Test
  void callersMayPresentACertificateAndReconnect() throws Exception {
    String program = program("echo \"$@\" >%s; exit 1".formatted(folder.resolve("asked")));
    AbDriver driver =
        new AbDriver(folder, program).presenting(Path.of("client.pem")).withNewConnections();

    assertThatThrownBy(() -> driver.run(SERVICE, Stock.EC, 80, 8)).isInstanceOf(IOException.class);

    assertThat(Files.readString(folder.resolve("asked")))
        .contains(" -E client.pem ")
        .doesNotContain(" -k ");
  }

  @Test
  void whyItFailedIsItsLastLine() throws IOException {
    String program = program("echo Benchmarking; echo 'apr_socket_recv: refused (111)'; exit 111");

    assertThatThrownBy(() -> run(program))
        .isInstanceOf(IOException.class)
        .hasMessage("ApacheBench failed: apr_socket_recv: refused (111)");
  }

  @Test
  void whereToGetItIsSaid() {
    assertThatThrownBy(() -> run(folder.resolve("missing").toString()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("apache2-utils");
  }
}
