package org.keywell.xks.auth;

import java.util.regex.Pattern;

/**
 * A pair that signs requests. The specification fixes what it consists of.
 *
 * @param accessKeyId 20 to 30 of A-Z and 2-7; names the pair, and is no secret
 * @param secret 43 to 64 of A-Z, a-z, 0-9, plus, slash and equals
 */
record Credential(String accessKeyId, String secret) {

  private static final Pattern ID = Pattern.compile("[A-Z2-7]{20,30}");
  private static final Pattern SECRET = Pattern.compile("[A-Za-z0-9/+=]{43,64}");

  /**
   * @throws IllegalArgumentException if a part is not as it must be; the message has no secret
   */
  Credential {
    if (!ID.matcher(accessKeyId).matches()) {
      throw new IllegalArgumentException("an access key id has 20 to 30 of A-Z and 2-7");
    }
    if (!SECRET.matcher(secret).matches()) {
      throw new IllegalArgumentException(
          "the secret of %s does not have 43 to 64 of A-Z a-z 0-9 / + =".formatted(accessKeyId));
    }
  }

  /** Omits the secret. */
  @Override
  public String toString() {
    return "Credential[" + accessKeyId + "]";
  }
}
