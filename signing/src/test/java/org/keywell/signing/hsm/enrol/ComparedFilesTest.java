package org.keywell.signing.hsm.enrol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.TransportRequest;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.hsm.TokenAccess;

/** What is refused before the device is touched: there is none here. */
final class ComparedFilesTest {

  @TempDir Path files;

  private final Enrolment enrolment =
      new Enrolment(
          TokenAccess.named(
              BoundSettings.of("keywell.hsm.module=/nowhere/libpkcs11.so").hsm(), null));

  @Test
  void aRequestThatWasExchangedIsRefused() throws IOException {
    Path request = request("east", 1);
    String compared = KeyFingerprint.of(new byte[] {1}).toString();
    Files.copy(request("stranger", 2), request, StandardCopyOption.REPLACE_EXISTING);

    assertMismatch(List.of(request), List.of(compared));
  }

  @Test
  void oneOfSeveralIsEnough() throws IOException {
    String one = KeyFingerprint.of(new byte[] {1}).toString();
    String two = KeyFingerprint.of(new byte[] {2}).toString();

    assertMismatch(List.of(request("a", 1), request("b", 3)), List.of(one, two));
    assertMismatch(List.of(request("c", 1)), List.of(one, two));
    assertMismatch(List.of(request("d", 1), request("e", 1)), List.of(one, two));
  }

  @Test
  void whatWasComparedReachesTheDevice() throws IOException {
    List<Path> requests = List.of(request("a", 1), request("b", 2));
    List<String> inAnyOrder =
        List.of(
            KeyFingerprint.of(new byte[] {2}).toString(),
            KeyFingerprint.of(new byte[] {1}).toString());

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> enrolment.enrol("shared", requests, inAnyOrder))
        .withMessageContaining("/nowhere/libpkcs11.so");
  }

  @Test
  void anAnswerThatExistsIsNotReplaced() throws IOException {
    Path request = request("east", 1);
    Files.createFile(files.resolve("east.answer"));

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() ->
            enrolment.enrol(
                "shared", List.of(request), List.of(KeyFingerprint.of(new byte[] {1}).toString())))
        .withMessageContaining("east.answer exists already");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "-----BEGIN PUBLIC KEY-----",
        "{\"format\":\"other\",\"token\":\"t\",\"serial\":\"s\",\"publicKey\":\"AQ==\"}",
        "{\"format\":\"keywell-transport-request-1\",\"token\":\"t\",\"serial\":\"s\"}",
        "{\"format\":\"keywell-transport-request-1\",\"token\":\"t\",\"serial\":\"s\","
            + "\"publicKey\":\"AQ==\",\"more\":1}"
      })
  void whatIsNoRequestIsRefused(String content) throws IOException {
    Path file = Files.writeString(files.resolve("file"), content);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> enrolment.enrol("shared", List.of(file), List.of("0".repeat(64))))
        .withMessageContaining("not a request of");
  }

  @Test
  void anAnswerThatWasExchangedIsRefusedUnread() throws IOException {
    Path answer = Files.writeString(files.resolve("answer"), "not even JSON");

    assertThatExceptionOfType(FingerprintMismatchException.class)
        .isThrownBy(() -> enrolment.accept(answer, "0".repeat(64)))
        .withMessageContaining("nothing was done");
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() ->
            enrolment.accept(answer, KeyFingerprint.of("not even JSON".getBytes(UTF_8)).toString()))
        .withMessageContaining("not an answer of");
  }

  private void assertMismatch(List<Path> requests, List<String> fingerprints) {
    assertThatExceptionOfType(FingerprintMismatchException.class)
        .isThrownBy(() -> enrolment.enrol("shared", requests, fingerprints))
        .withMessageContaining("nothing was done")
        .satisfies(e ->
            // The true one is not shown, for nobody to copy it from there.
            assertThat(e.getMessage())
                .doesNotContain(RequestFile.read(requests.getLast()).fingerprint().toString()));
    assertThat(files.resolve(requests.getFirst().getFileName() + ".answer")).doesNotExist();
  }

  private Path request(String name, int key) throws IOException {
    RequestFile request =
        RequestFile.of(new TransportRequest(name, "serial", new byte[] {(byte) key}));
    return Files.write(files.resolve(name), CeremonyFiles.json(request));
  }
}
