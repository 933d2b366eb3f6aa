package org.keywell.loadgen.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Requests to an external key store, signed by AWS Signature Version 4. */
public final class SignedRequest {
  private static final String SIGNED = "host;x-amz-date";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private SignedRequest() {}

  /**
   * Returns a request that posts a body.
   *
   * @param uri has a path without characters that a signature would encode
   */
  public static HttpRequest.Builder of(URI uri, String body, String accessKeyId, String secret) {
    String time = TIME.format(Instant.now());
    String scope = time.substring(0, 8) + "/us-east-1/kms-xks-proxy/aws4_request";
    String canonical =
        "POST\n%s\n\nhost:%s\nx-amz-date:%s\n\n%s\n%s"
            .formatted(uri.getPath(), uri.getAuthority(), time, SIGNED, sha256(body));
    String toSign = "AWS4-HMAC-SHA256\n%s\n%s\n%s".formatted(time, scope, sha256(canonical));
    byte[] key = ("AWS4" + secret).getBytes(UTF_8);
    for (String part : scope.split("/", -1)) {
      key = hmac(key, part);
    }
    return HttpRequest.newBuilder(uri)
        .header("Content-Type", "application/json")
        .header("X-Amz-Date", time)
        .header(
            "Authorization",
            "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s"
                .formatted(accessKeyId, scope, SIGNED, HexFormat.of().formatHex(hmac(key, toSign))))
        .POST(BodyPublishers.ofString(body));
  }

  private static String sha256(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }
}
