package org.keywell.xks.api;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.keywell.xks.error.XksError;
import org.keywell.xks.error.XksException;
import org.keywell.xks.hsm.KeyHsms;
import org.keywell.xks.store.KeyUse;
import org.keywell.xks.store.XksKey;
import org.keywell.xks.store.XksKeys;

/** The operations on a key. Refuse with {@link XksException}. Thread-safe. */
final class KeyOperations {

  private static final int MAX_TEXT_BYTES = 4300;
  private static final int MAX_AAD_BYTES = 8192;
  private static final int MAX_METADATA_BYTES = 20;
  private static final int TAG_BYTES = 16;

  /** The name of no key, since it is too long. */
  static final String NO_KEY = "-".repeat(129);

  /** Says how the additional data was encoded, so that another form can follow. */
  private static final byte[] FORM = {1};

  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  private final XksKeys keys;
  private final KeyHsms hsms;
  private final SecureRandom random = new SecureRandom();

  KeyOperations(XksKeys keys, KeyHsms hsms) {
    this.keys = keys;
    this.hsms = hsms;
  }

  /** Does what each request does, with a key that does not exist; nothing is logged. */
  void rehearse() {
    RequestBody body =
        RequestBody.parse(
            """
            {"requestMetadata":{"awsPrincipalArn":"-","kmsKeyArn":"-","kmsOperation":"-",\
            "kmsRequestId":"-"},"plaintext":"AAAA","encryptionAlgorithm":"AES_GCM"}\
            """
                .getBytes(StandardCharsets.US_ASCII));
    try {
      var _ = encrypt(new Route(Route.Operation.ENCRYPT, NO_KEY), "-", body, 0);
    } catch (XksException e) {
      // There is no such key.
    }
    hsms.prove();
  }

  String metadata(Route route, String caller, RequestBody body) {
    XksKey key = use(route, caller, body, body.optionalMetadata("kmsKeyArn"), false, false);
    String usage =
        switch (key.usage()) {
          case ENCRYPT_DECRYPT -> "\"ENCRYPT\",\"DECRYPT\"";
          case ENCRYPT -> "\"ENCRYPT\"";
          case DECRYPT -> "\"DECRYPT\"";
          case NONE -> "";
        };
    return "{\"keySpec\":\"AES_256\",\"keyUsage\":[%s],\"keyStatus\":\"%s\"}"
        .formatted(usage, key.state());
  }

  String encrypt(Route route, String caller, RequestBody body, long untilNanos) {
    body.requireAesGcm();
    byte[] plaintext = requireSize("plaintext", body.bytes("plaintext"), MAX_TEXT_BYTES);
    if (plaintext.length == 0) {
      throw RequestBody.invalid("plaintext is empty");
    }
    byte[] aad = aad(body);
    boolean integrity = body.asksForIntegrityValue();
    XksKey key = use(route, caller, body, body.metadata("kmsKeyArn"), true, integrity);
    byte[] iv = new byte[KeyHsms.ivBytes()];
    random.nextBytes(iv);
    byte[] bound = bound(aad, FORM);
    byte[] sealed = hsms.encrypt(key.token(), iv, bound, plaintext, untilNanos);
    byte[] ciphertext = Arrays.copyOf(sealed, plaintext.length);
    byte[] tag = Arrays.copyOfRange(sealed, plaintext.length, sealed.length);
    String answer =
        "{\"authenticationTag\":\"%s\",\"ciphertext\":\"%s\",\"ciphertextMetadata\":\"%s\",\"initializationVector\":\"%s\""
            .formatted(encoded(tag), encoded(ciphertext), encoded(FORM), encoded(iv));
    if (!integrity) {
      return answer + "}";
    }
    // In this order: what is corrupted after the value was computed does not decrypt.
    byte[] value = sha256(aad, FORM, iv, ciphertext, tag);
    if (!decryptsTo(plaintext, key, iv, bound, joined(ciphertext, tag), untilNanos)) {
      throw new XksException(XksError.INTERNAL, "what was encrypted decrypts to something else");
    }
    return "%s,\"ciphertextDataIntegrityValue\":\"%s\"}".formatted(answer, encoded(value));
  }

  private boolean decryptsTo(
      byte[] plaintext, XksKey key, byte[] iv, byte[] bound, byte[] sealed, long untilNanos) {
    try {
      return MessageDigest.isEqual(
          plaintext, hsms.decrypt(key.token(), iv, bound, sealed, untilNanos));
    } catch (XksException e) {
      if (e.error() == XksError.INVALID_CIPHERTEXT) {
        return false;
      }
      throw e;
    }
  }

  String decrypt(Route route, String caller, RequestBody body, long untilNanos) {
    body.requireAesGcm();
    byte[] ciphertext = requireSize("ciphertext", body.bytes("ciphertext"), MAX_TEXT_BYTES);
    byte[] iv = body.bytes("initializationVector");
    byte[] tag = body.bytes("authenticationTag");
    byte[] metadata = orEmpty(body.optionalBytes("ciphertextMetadata"));
    byte[] aad = aad(body);
    if (iv.length != KeyHsms.ivBytes() && iv.length != 16) {
      throw RequestBody.invalid("initializationVector has neither 12 nor 16 bytes");
    }
    if (tag.length != TAG_BYTES || metadata.length > MAX_METADATA_BYTES) {
      throw RequestBody.invalid(
          "authenticationTag has not 16 bytes, or ciphertextMetadata more than 20");
    }
    XksKey key = use(route, caller, body, body.metadata("kmsKeyArn"), false, true);
    return "{\"plaintext\":\"%s\"}"
        .formatted(
            encoded(
                hsms.decrypt(
                    key.token(), iv, bound(aad, metadata), joined(ciphertext, tag), untilNanos)));
  }

  /** Returns the key, once its use is in the log. */
  private XksKey use(
      Route route,
      String caller,
      RequestBody body,
      String kmsKey,
      boolean encrypts,
      boolean decrypts) {
    KeyUse use =
        new KeyUse(
            route.operation().label(),
            caller,
            body.metadata("awsPrincipalArn"),
            kmsKey,
            body.metadata("kmsOperation"),
            body.metadata("kmsRequestId"),
            encrypts,
            decrypts);
    XksKey key =
        keys.use(route.key(), use)
            .orElseThrow(
                () -> new XksException(XksError.KEY_NOT_FOUND, "there is no key of this name"));
    if ((encrypts || decrypts) && key.state() == XksKey.State.DISABLED) {
      throw new XksException(XksError.INVALID_STATE, "the key is disabled");
    }
    if ((encrypts && !key.usage().encrypts()) || (decrypts && !key.usage().decrypts())) {
      throw new XksException(
          XksError.INVALID_KEY_USAGE, "the key's usage is " + key.usage().label());
    }
    return key;
  }

  private static byte[] aad(RequestBody body) {
    return requireSize(
        "additionalAuthenticatedData",
        orEmpty(body.optionalBytes("additionalAuthenticatedData")),
        MAX_AAD_BYTES);
  }

  private static byte[] orEmpty(byte @Nullable [] bytes) {
    return bytes == null ? new byte[0] : bytes;
  }

  private static byte[] requireSize(String name, byte[] bytes, int most) {
    if (bytes.length > most) {
      throw new XksException(
          XksError.UNSUPPORTED_OPERATION,
          "%s has %d bytes; up to %d are supported".formatted(name, bytes.length, most));
    }
    return bytes;
  }

  /** What the HSM authenticates: both parts with their lengths, so that neither passes for both. */
  private static byte[] bound(byte[] aad, byte[] metadata) {
    byte[] lengthOfAad = {(byte) (aad.length >> 8), (byte) aad.length};
    return joined(lengthOfAad, aad, new byte[] {(byte) metadata.length}, metadata);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] sha256(byte[]... parts) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(joined(parts));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static String encoded(byte[] bytes) {
    return BASE64.encodeToString(bytes);
  }
}
