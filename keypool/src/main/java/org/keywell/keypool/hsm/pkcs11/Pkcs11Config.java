package org.keywell.keypool.hsm.pkcs11;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The location of a token and the way it is used. Holds no secret.
 *
 * @param module absolute path of the vendor's PKCS#11 library
 * @param tokenLabel label of the token, 1 to 32 bytes of UTF-8, unique among the module's tokens
 * @param wrappingKeyLabel {@code CKA_LABEL} of the wrapping key, 1 to 64 bytes of UTF-8, unique in
 *     the token
 * @param initializeParameters the string that NSS requires with {@code C_Initialize} ({@code
 *     LibraryParameters}); empty for modules that follow the standard
 * @param maxSessions number of sessions that work in parallel, from 1 to 1024
 * @param unwrapSessions number of further sessions, which unwrap keys in parallel and own them,
 *     from 1 to 64
 */
public record Pkcs11Config(
    Path module,
    String tokenLabel,
    String wrappingKeyLabel,
    Optional<String> initializeParameters,
    int maxSessions,
    int unwrapSessions) {

  /** The default number of sessions that unwrap. */
  public static final int UNWRAP_SESSIONS = 4;

  private static final int MAX_TOKEN_LABEL_BYTES = 32;
  private static final int MAX_KEY_LABEL_BYTES = 64;
  static final int MAX_SESSIONS = 1024;
  static final int MAX_UNWRAP_SESSIONS = 64;

  public Pkcs11Config {
    if (!module.isAbsolute()) {
      throw new IllegalArgumentException("module is not an absolute path: " + module);
    }
    requireLabel("tokenLabel", tokenLabel, MAX_TOKEN_LABEL_BYTES);
    requireLabel("wrappingKeyLabel", wrappingKeyLabel, MAX_KEY_LABEL_BYTES);
    if (maxSessions < 1 || maxSessions > MAX_SESSIONS) {
      throw new IllegalArgumentException(
          "maxSessions is " + maxSessions + ", not from 1 to " + MAX_SESSIONS);
    }
    if (unwrapSessions < 1 || unwrapSessions > MAX_UNWRAP_SESSIONS) {
      throw new IllegalArgumentException(
          "unwrapSessions is " + unwrapSessions + ", not from 1 to " + MAX_UNWRAP_SESSIONS);
    }
  }

  /** Uses {@link #UNWRAP_SESSIONS}. */
  public Pkcs11Config(
      Path module,
      String tokenLabel,
      String wrappingKeyLabel,
      Optional<String> initializeParameters,
      int maxSessions) {
    this(module, tokenLabel, wrappingKeyLabel, initializeParameters, maxSessions, UNWRAP_SESSIONS);
  }

  /** Returns this configuration with another label of the wrapping key. */
  public Pkcs11Config withWrappingKeyLabel(String label) {
    return new Pkcs11Config(
        module, tokenLabel, label, initializeParameters, maxSessions, unwrapSessions);
  }

  private static void requireLabel(String name, String label, int maxBytes) {
    // Tokens pad labels with blanks, so trailing blanks cannot be distinguished from padding.
    if (label.isBlank() || !label.equals(label.stripTrailing())) {
      throw new IllegalArgumentException(name + " is blank or ends in a blank");
    }
    if (label.getBytes(StandardCharsets.UTF_8).length > maxBytes) {
      throw new IllegalArgumentException(name + " is longer than " + maxBytes + " bytes");
    }
  }
}
