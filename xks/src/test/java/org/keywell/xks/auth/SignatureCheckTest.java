package org.keywell.xks.auth;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.listener.http.HttpRequest;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;

final class SignatureCheckTest {

  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
  private static final String TIME = "20260304T050607Z";
  private static final String ID = "KEYWELLTESTACCESSKEY23";
  private static final String SECRET = "a+secret+of+this+test+only+43+characters000";
  private static final String SCOPE = "20260304/eu-north-1/kms-xks-proxy/aws4_request";
  private static final String PATH = "/kms/xks/v1/keys/foo/encrypt";

  private final Map<String, Credential> credentials =
      new TreeMap<>(Map.of(ID, new Credential(ID, SECRET)));
  private Instant now = NOW;
  private final SignatureCheck check = new SignatureCheck(() -> credentials, () -> now);

  /** What a client sends, before and after it is signed. */
  private static final class Draft {
    String path = PATH;
    String body = "{}";
    String id = ID;
    String secret = SECRET;
    String scope = SCOPE;
    String signed = "host;x-amz-date";
    final Map<String, List<String>> headers = new LinkedHashMap<>();

    Draft() {
      headers.put("host", new ArrayList<>(List.of("xks.example")));
      headers.put("x-amz-date", new ArrayList<>(List.of(TIME)));
    }

    Draft sign() {
      StringBuilder canonical = new StringBuilder("POST\n" + path + "\n\n");
      for (String name : signed.split(";", -1)) {
        canonical
            .append(name)
            .append(':')
            .append(String.join(",", headers.getOrDefault(name, List.of())))
            .append('\n');
      }
      canonical
          .append('\n')
          .append(signed)
          .append('\n')
          .append(SignedDraft.sha256(body.getBytes(UTF_8)));
      String toSign =
          "AWS4-HMAC-SHA256\n%s\n%s\n%s"
              .formatted(
                  first("x-amz-date"),
                  scope,
                  SignedDraft.sha256(canonical.toString().getBytes(UTF_8)));
      headers.put(
          "authorization",
          new ArrayList<>(
              List.of(
                  "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                      .formatted(
                          id,
                          scope,
                          signed,
                          SignedDraft.hmac(SigningKeys.derive(secret, scope), toSign)))));
      return this;
    }

    String first(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }

    HttpRequest request() {
      return new HttpRequest("POST", path, headers, body.getBytes(UTF_8), 0);
    }
  }

  private void assertRefused(Draft draft, String why) {
    assertThatExceptionOfType(XksException.class)
        .isThrownBy(() -> check.requireSigned(draft.request()))
        .withMessageContaining(why)
        .satisfies(e -> assertThat(e.error()).isEqualTo(XksError.AUTHENTICATION_FAILED));
  }

  /** Of the AWS General Reference, "Deriving the signing key". */
  @Test
  void aSigningKeyIsDerivedAsPublished() {
    assertThat(
            SigningKeys.derive(
                "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "20150830/us-east-1/iam/aws4_request"))
        .isEqualTo(
            HexFormat.of()
                .parseHex("c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"));
  }

  @Test
  void aSignedRequestIsItsCallers() {
    assertThat(check.requireSigned(new Draft().sign().request())).isEqualTo(ID);
    assertThat(check.requireSigned(new Draft().sign().request())).as("again").isEqualTo(ID);
    Draft more = new Draft();
    more.headers.put("content-type", List.of("application/json"));
    more.signed = "content-type;host;x-amz-date";
    assertThat(check.requireSigned(more.sign().request())).isEqualTo(ID);
  }

  @Test
  void whatWasSignedCannotBeChanged() {
    Draft body = new Draft().sign();
    body.body = "{} ";
    assertRefused(body, "not its secret's");
    Draft path = new Draft().sign();
    path.path = PATH.replace("encrypt", "decrypt");
    assertRefused(path, "not its secret's");
    Draft host = new Draft().sign();
    host.headers.put("host", List.of("other.example"));
    assertRefused(host, "not its secret's");
    Draft query = new Draft().sign();
    query.path = PATH + "?a=b";
    assertRefused(query, "not its secret's");
  }

  @Test
  void unknownIdsAndOtherSecretsAreRefusedAlike() {
    Draft id = new Draft();
    id.id = "ANOTHER" + ID;
    assertRefused(id.sign(), "the access key id is unknown, or");
    Draft secret = new Draft();
    secret.secret = "x" + SECRET;
    assertRefused(secret.sign(), "the access key id is unknown, or");
  }

  @Test
  void aWithdrawnCredentialIsRefusedThoughItsKeyWasDerived() {
    assertThat(check.requireSigned(new Draft().sign().request())).isEqualTo(ID);
    credentials.put(ID, new Credential(ID, SECRET + "1"));
    assertRefused(new Draft().sign(), "not its secret's");
    credentials.clear();
    assertRefused(new Draft().sign(), "unknown");
  }

  @Test
  void aRequestOutsideOfTheWindowIsRefused() {
    Duration most = Duration.ofMinutes(5);
    for (Instant time : List.of(NOW.plus(most), NOW.minus(most))) {
      now = time;
      assertThat(check.requireSigned(new Draft().sign().request())).isEqualTo(ID);
    }
    for (Instant time : List.of(NOW.plus(most).plusMillis(1), NOW.minus(most).minusMillis(1))) {
      now = time;
      assertRefused(new Draft().sign(), "5 minutes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"host", "x-amz-date", "authorization"})
  void aHeaderThatIsMissingOrDoubleIsRefused(String name) {
    Draft missing = new Draft().sign();
    missing.headers.remove(name);
    assertRefused(missing, name + " is sent 0 times");
    Draft twice = new Draft().sign();
    twice.headers.put(name, List.of(twice.first(name), twice.first(name)));
    assertRefused(twice, name + " is sent 2 times");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-amz-date", "host", "content-type"})
  void hostAndTimeMustBeSigned(String signed) {
    Draft draft = new Draft();
    draft.headers.put("content-type", List.of("application/json"));
    draft.signed = signed;
    assertRefused(draft.sign(), "must be signed");
  }

  @Test
  void otherHeadersOfAwsMustBeSigned() {
    Draft draft = new Draft().sign();
    draft.headers.put("x-amz-security-token", List.of("x"));
    assertRefused(draft, "x-amz- is not signed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "20260304/eu-north-1/kms/aws4_request",
        "20260304/eu-north-1/kms-xks-proxy/aws4",
        "2026034/eu-north-1/kms-xks-proxy/aws4_request",
        "20260304//kms-xks-proxy/aws4_request"
      })
  void anotherScopeIsRefused(String scope) {
    Draft draft = new Draft();
    draft.scope = scope;
    assertRefused(draft.sign(), "kms-xks-proxy");
  }

  @Test
  void aCredentialOfAnotherDayIsRefused() {
    Draft draft = new Draft();
    draft.scope = SCOPE.replace("20260304", "20260303");
    assertRefused(draft.sign(), "another day");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-amz-date;host", "host;host;x-amz-date", "host;x-amz-date;"})
  void signedHeadersAreInOrder(String signed) {
    Draft draft = new Draft();
    draft.signed = signed;
    assertRefused(draft.sign(), "in order");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-03-04T05:06:07Z", "20260304T050607", "20261304T050607Z", ""})
  void aTimeThatIsNoneIsRefused(String time) {
    Draft draft = new Draft();
    draft.headers.put("x-amz-date", List.of(time));
    assertRefused(draft.sign(), "x-amz-date is not a time");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer x", "AWS4-HMAC-SHA512 Credential=x"})
  void anotherAuthorizationIsRefused(String header) {
    Draft draft = new Draft();
    draft.headers.put("authorization", List.of(header));
    assertRefused(draft, "not a signature");
  }
}
