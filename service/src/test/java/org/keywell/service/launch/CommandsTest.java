package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.StartRefusedException;
import picocli.CommandLine.ParseResult;

final class CommandsTest {

  @ParameterizedTest
  @CsvSource({
    "check, ''",
    "bootstrap, ''",
    "migrate, ''",
    "database-roles, keywell_owner keywell keywell_reports false",
    "database-roles --apply --owner a --service=b --reports c, a b c true",
    "log-reapply --from copy, copy null false",
    "log-reapply --from copy --log-key a --apply, copy [a] true",
    "fill 1000, 1000 RSA-2048",
    "fill 10000000 --key-spec EC-P256, 10000000 EC-P256",
    "fill --key-spec=EC-P256 5, 5 EC-P256",
    "renew-ca --generation 2, null false 2",
    "renew-ca --device east --generation=3, east false 3",
    "renew-ca --root --generation 2, null true 2",
    "ca-request a.csr, null false a.csr",
    "ca-request --device east a.csr, east false a.csr",
    "ca-request --new-key a.csr, null true a.csr",
    "ca-import a.pem --device=east, east a.pem",
    "ca-import @a.pem, null @a.pem",
    "server-request --host a --host=b a.csr, '[a, b] false a.csr'",
    "server-certificate --host a --host ::1 a.csr a.pem, '[a, ::1] false 90 a.csr a.pem'",
    "server-certificate --wildcards --host=*.a.b --days 7 a b, '[*.a.b] true 7 a b'",
    "hsm transport a.request, null a.request",
    "hsm transport a.request --device east, east a.request",
    "hsm enrol --label shared --fingerprint 12 a b --fingerprint=34, 'null shared [12, 34] [a, b]'",
    "hsm enrol --device=east --label shared --fingerprint 12 a, east shared [12] [a]",
    "hsm accept a.answer --fingerprint 12, null 12 a.answer",
    "hsm accept --fingerprint 12 --device east a.answer, east 12 a.answer",
    "rotate-wrapping-key, null false false",
    "rotate-wrapping-key --now --device east, east true false",
    "rotate-wrapping-key --status, null false true"
  })
  void eachCommandTakesItsOwn(String line, String values) {
    ParseResult parsed = Commands.parse(line.split(" "));
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }

    assertThat(
            parsed.commandSpec().args().stream()
                .map(argument -> Objects.toString(argument.getValue()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "10000001", "99999999999", "x", "1.5", ""})
  void aBadNumberOfKeysIsNamed(String number) {
    assertRefused(List.of("fill:", number), "fill", number);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "start, unknown command 'start'; known: serve",
        "check now, 'now'",
        "bootstrap --now, '--now'",
        "migrate now, 'now'",
        "database-roles --owner, '--owner'",
        "database-roles --apply yes, 'yes'",
        "database-roles --owner a --service a, three database roles",
        "fill, 'N'",
        "fill 5 --key-spec, '--key-spec'",
        "fill 5 --keyspec RSA-2048, '--keyspec'",
        "fill 5 6, '6'",
        "fill 5 --key-spec RSA-2048 6, '6'",
        "fill 5 --key-spec rsa, unknown key spec 'rsa'",
        "fill 5 --key-spec=, unknown key spec ''",
        "renew-ca, '--generation",
        "renew-ca --generation two, 'two'",
        "renew-ca --generation 2 --root --device east, omit --device",
        "ca-request --device east, 'FILE'",
        "ca-request a b, 'b'",
        "ca-request a --device, '--device'",
        "ca-import a --force, '--force'",
        "server-request --host a, 'FILE'",
        "server-request a.csr, '--host",
        "server-certificate --host a a.csr, 'FILE'",
        "server-certificate a b, '--host",
        "server-certificate --host a --days x a b, 'x'",
        "hsm, \"known: accept, enrol, transport\"",
        "hsm enroll, 'enroll'",
        "hsm transport, 'FILE'",
        "hsm transport a b, 'b'",
        "hsm transport a --label x, '--label'",
        "hsm enrol a --fingerprint 12, '--label",
        "hsm enrol a --fingerprint 12 --label x --label y, '--label'",
        "hsm enrol --label x --fingerprint 12, 'REQUEST",
        "hsm enrol --label x a, '--fingerprint",
        "hsm enrol --label x a b --fingerprint 12, --fingerprint for each",
        "hsm enrol --label x a --fingerprint, '--fingerprint'",
        "hsm enrol --label x --fingerprint 12 a --force, '--force'",
        "hsm transport a --device x --device y, '--device'",
        "hsm transport a --device, '--device'",
        "hsm accept a, '--fingerprint",
        "hsm accept a b --fingerprint 12, 'b'",
        "rotate-wrapping-key now, 'now'",
        "rotate-wrapping-key --device, '--device'",
        "rotate-wrapping-key --status --now, --status takes no other option",
        "hsm accept a --fingerprint 12 --label x, '--label'"
      })
  void whatIsMissingOrTooMuchIsNamed(String line, String naming) {
    String[] words = line.split(" ");

    assertRefused(List.of(naming), words);
  }

  @ParameterizedTest
  @CsvSource({
    "--days 0 --host a, --days 0",
    "--days 399 --host a, 1 to 398",
    "--host *.example.com, *.example.com",
    "--host 0.0.0.0, 0.0.0.0"
  })
  void aServerThatCannotBeCertifiedIsRefusedAtOnce(String options, String naming) {
    String[] words = ("server-certificate " + options + " a.csr a.pem").split(" ");

    assertThatThrownBy(() -> Commands.run(words)).hasMessageContaining(naming);
  }

  @Test
  void everyKindOfKeyCanBeFilled() {
    assertThat(Stream.of(KeySpec.values()).map(KeySpec::label))
        .allSatisfy(label ->
            assertThat(Commands.parse("fill", "1", "--key-spec", label).subcommand()).isNotNull());
  }

  private static void assertRefused(List<String> naming, String... arguments) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> Commands.run(arguments))
        .satisfies(
            refusal -> assertThat(refusal.getMessage()).contains(naming).doesNotContain("\n"));
  }
}
