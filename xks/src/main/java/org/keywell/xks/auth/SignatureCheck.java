package org.keywell.xks.auth;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.keywell.listener.http.HttpRequest;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;

/**
 * Checks that a request is signed by AWS Signature Version 4, for the service {@code
 * kms-xks-proxy}, with a credential that is valid now. Refuses with {@link
 * XksError#AUTHENTICATION_FAILED}. Thread-safe.
 */
public final class SignatureCheck {

  /** How far a request's time may be from now, by the specification. */
  private static final Duration WINDOW = Duration.ofMinutes(5);

  private static final HexFormat HEX = HexFormat.of();
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT);

  private final Supplier<Map<String, Credential>> credentials;
  private final InstantSource clock;
  private final SigningKeys keys = new SigningKeys();

  public SignatureCheck(CredentialsFile credentials, InstantSource clock) {
    this(credentials::current, clock);
  }

  SignatureCheck(Supplier<Map<String, Credential>> credentials, InstantSource clock) {
    this.credentials = credentials;
    this.clock = clock;
  }

  /**
   * Checks a request.
   *
   * @param request to a path without characters that a signature would encode
   * @return the access key id
   */
  public String requireSigned(HttpRequest request) {
    Authorization authorization = Authorization.parse(only(request, "authorization"));
    String time = only(request, "x-amz-date");
    requireRecent(time, authorization);
    requireCovered(request, authorization);
    String toSign =
        "AWS4-HMAC-SHA256\n%s\n%s\n%s"
            .formatted(
                time,
                authorization.scope(),
                HEX.formatHex(
                    sha256(canonical(request, authorization.headers()).getBytes(ISO_8859_1))));
    Credential credential = credentials.get().get(authorization.accessKeyId());
    if (credential == null || !keys.signs(credential, authorization, toSign.getBytes(ISO_8859_1))) {
      throw refused("the access key id is unknown, or the signature is not its secret's");
    }
    return credential.accessKeyId();
  }

  /** A header that is sent twice could mean another thing to its signer. */
  private static String only(HttpRequest request, String header) {
    List<String> values = request.values(header);
    if (values.size() != 1) {
      throw refused(
          "the header %s is sent %d times, expected once".formatted(header, values.size()));
    }
    return values.getFirst();
  }

  private void requireRecent(String time, Authorization authorization) {
    Instant signed;
    try {
      signed = LocalDateTime.parse(time, TIME).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw refused("the header x-amz-date is not a time such as 20260131T235959Z");
    }
    if (!time.startsWith(authorization.date())) {
      throw refused("the credential is for another day than the header x-amz-date");
    }
    if (Duration.between(signed, clock.instant()).abs().compareTo(WINDOW) > 0) {
      throw refused("the request was signed more than 5 minutes ago or ahead; compare the clocks");
    }
  }

  /** What could change the meaning of a request must be signed. */
  private static void requireCovered(HttpRequest request, Authorization authorization) {
    List<String> signed = authorization.headers();
    if (!signed.contains("host") || !signed.contains("x-amz-date")) {
      throw refused("the headers host and x-amz-date must be signed");
    }
    for (String name : request.headers().keySet()) {
      if (name.startsWith("x-amz-") && !signed.contains(name)) {
        throw refused("a header of x-amz- is not signed");
      }
    }
  }

  private static String canonical(HttpRequest request, List<String> headers) {
    StringBuilder canonical = new StringBuilder(512);
    canonical.append(request.method()).append('\n').append(request.target()).append("\n\n");
    for (String name : headers) {
      canonical
          .append(name)
          .append(':')
          .append(only(request, name).replaceAll(" +", " "))
          .append('\n');
    }
    return canonical
        .append('\n')
        .append(String.join(";", headers))
        .append('\n')
        .append(HEX.formatHex(sha256(request.body())))
        .toString();
  }

  private static byte[] sha256(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  static boolean sameSignature(String claimed, byte[] signature) {
    return MessageDigest.isEqual(
        claimed.getBytes(US_ASCII), HEX.formatHex(signature).getBytes(US_ASCII));
  }

  static XksException refused(String why) {
    return new XksException(XksError.AUTHENTICATION_FAILED, why);
  }
}
