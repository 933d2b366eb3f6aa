package org.keywell.xks.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.keywell.listener.http.HttpRequest;

/** Requests as AWS KMS signs them. */
public final class SignedDraft {

  private static final String ID = "KEYWELLTESTACCESSKEY23";
  private static final String SECRET = "a+secret+of+this+test+only+43+characters000";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private SignedDraft() {}

  /** Returns what knows their signer. */
  public static SignatureCheck check(InstantSource clock) {
    return new SignatureCheck(() -> Map.of(ID, new Credential(ID, SECRET)), clock);
  }

  /** Returns a request that is signed as it is. */
  public static HttpRequest request(String path, Instant now, byte[] body, long arrivedNanos) {
    String time = TIME.format(now);
    String scope = time.substring(0, 8) + "/eu-north-1/kms-xks-proxy/aws4_request";
    String canonical =
        "POST\n%s\n\nhost:xks.example\nx-amz-date:%s\n\nhost;x-amz-date\n%s"
            .formatted(path, time, sha256(body));
    String toSign =
        "AWS4-HMAC-SHA256\n%s\n%s\n%s".formatted(time, scope, sha256(canonical.getBytes(UTF_8)));
    String authorization =
        "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=host;x-amz-date, Signature=%s"
            .formatted(ID, scope, hmac(SigningKeys.derive(SECRET, scope), toSign));
    return new HttpRequest(
        "POST",
        path,
        Map.of(
            "host", List.of("xks.example"),
            "x-amz-date", List.of(time),
            "authorization", List.of(authorization)),
        body,
        arrivedNanos);
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
