package org.keywell.xks.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies signatures by keys that are derived from secrets. Keeps the last derived key of each
 * credential: it is the same for a day and a region. Thread-safe.
 */
final class SigningKeys {

  private static final String HMAC = "HmacSHA256";

  private record Derived(Credential of, String scope, byte[] key) {}

  private final Map<String, Derived> last = new ConcurrentHashMap<>();

  boolean signs(Credential credential, Authorization authorization, byte[] toSign) {
    String scope = authorization.scope();
    Derived known = last.get(credential.accessKeyId());
    Derived fit =
        known != null && known.of().equals(credential) && known.scope().equals(scope)
            ? known
            : new Derived(credential, scope, derive(credential.secret(), scope));
    if (!SignatureCheck.sameSignature(authorization.signature(), hmac(fit.key(), toSign))) {
      return false;
    }
    // Only now: strangers choose scopes too.
    last.put(credential.accessKeyId(), fit);
    return true;
  }

  static byte[] derive(String secret, String scope) {
    byte[] key = ("AWS4" + secret).getBytes(US_ASCII);
    for (String part : scope.split("/", -1)) {
      key = hmac(key, part.getBytes(US_ASCII));
    }
    return key;
  }

  private static byte[] hmac(byte[] key, byte[] data) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
    }
  }
}
