package org.keywell.service.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.StoreException;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.hsm.enrol.FingerprintMismatchException;
import org.keywell.signing.start.NotThereYetException;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.PortInUseException;

@ExtendWith(OutputCaptureExtension.class)
final class FailedStartTest {

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  @Test
  void whatAnOperatorCanChangeIsOneLine() {
    assertReported(new StartRefusedException("no PIN:\n  set one"), 2, "keywell: no PIN: set one");
    assertReported(
        new HsmException(HsmException.Reason.UNAVAILABLE, "no module"), 2, "keywell: no module");
    assertReported(
        new StoreException("no database", new IOException("x")), 2, "keywell: no database");
    assertReported(
        new NotThereYetException("the database cannot be reached", new IOException("refused")),
        4,
        "keywell: the database cannot be reached");
    assertReported(
        new FingerprintMismatchException("it is another; nothing was done"),
        1,
        "keywell: it is another; nothing was done");
    assertReported(
        new PortInUseException(8420),
        2,
        "keywell: port 8420 is in use; choose another: SERVER_PORT or --port, for health and"
            + " metrics MANAGEMENT_SERVER_PORT");
    assertReported(
        new IllegalArgumentException("keywell.instance is bad"),
        2,
        "keywell: keywell.instance is bad");
  }

  /** Supervisors start again after it, and not after 2. */
  @Test
  void whatMayPassHasACodeOfItsOwn() {
    assertReported(
        new HsmException(HsmException.Reason.UNAVAILABLE, 0x30, "C_FindObjects failed"),
        4,
        "keywell: C_FindObjects failed");
    assertReported(
        new StoreException("no keys", new SQLException("ended by the administrator", "57P01")),
        4,
        "keywell: no keys");
    assertReported(
        new IllegalStateException("bean", new SQLException("ended", "08006")),
        4,
        "keywell: SQLException: ended");
  }

  @Test
  void theReasonIsFoundBelowWhatSpringWrapsAroundIt() {
    assertReported(
        new IllegalStateException(
            "bean", new RuntimeException(new StartRefusedException("do this"))),
        2,
        "keywell: do this");
  }

  @Test
  void anythingElseNamesItsRoot() {
    assertReported(
        new IllegalStateException("outer", new IOException("disk full")),
        1,
        "keywell: IOException: disk full");
  }

  @Test
  void anUnknownSettingIsNamedAndItsValueIsShownNowhere(CapturedOutput output) {
    String line = refused("--keywell.hsm.pn=123456");

    assertThat(line).startsWith("keywell: unknown configuration: [keywell.hsm.pn");
    assertThat(line + output).doesNotContain("123456");
  }

  @Test
  void aSettingOfTheWrongFormIsNamedAndItsValueIsShownNowhere(CapturedOutput output) {
    String line = refused("--keywell.sign.queue-limit=secret");

    assertThat(line).startsWith("keywell: keywell.sign.queue-limit");
    assertThat(line + output).doesNotContain("secret");
  }

  @Test
  void aSettingOutOfRangeIsNamedWithItsRange() {
    assertThat(refused("--keywell.sign.queue-limit=0"))
        .isEqualTo("keywell: keywell.sign.queue-limit is 0, expected 1-100000");
  }

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableConfigurationProperties(KeywellProperties.class)
  static class OnlySettings {}

  /** The one line for a start with the setting. */
  private String refused(String setting) {
    Throwable failure =
        catchThrowable(() ->
            new SpringApplicationBuilder(OnlySettings.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(setting)
                .close());
    return report(failure, 2);
  }

  private void assertReported(Throwable failure, int exitCode, String line) {
    assertThat(report(failure, exitCode)).isEqualTo(line);
  }

  private String report(Throwable failure, int exitCode) {
    shown.reset();
    assertThat(FailedStart.report(failure, new PrintStream(shown, true, UTF_8)))
        .isEqualTo(exitCode);
    assertThat(shown.toString(UTF_8).lines()).hasSize(1);
    return shown.toString(UTF_8).strip();
  }
}
