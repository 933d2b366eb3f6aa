package org.keywell.acceptance.running;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import tools.jackson.databind.json.JsonMapper;

/** A body of {@code POST /sign}; acceptable, unless a test replaces a field. Immutable. */
public final class SignBody {

  private static final JsonMapper JSON = JsonMapper.shared();

  private final Map<String, Object> fields;

  private SignBody(Map<String, Object> fields) {
    this.fields = fields;
  }

  /** Asks for a signature over the document's SHA-256. */
  public static SignBody of(String document) {
    return new SignBody(Map.of("signer", Map.of("commonName", "Astrid Exempel", "country", "SE")))
        .digest(DigestAlgorithm.SHA_256, document);
  }

  public SignBody digest(DigestAlgorithm algorithm, String document) {
    try {
      byte[] digest =
          MessageDigest.getInstance(algorithm.label())
              .digest(document.getBytes(StandardCharsets.UTF_8));
      return with("digestAlgorithm", algorithm.label())
          .with("digest", Base64.getEncoder().encodeToString(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  public SignBody keySpec(KeySpec spec) {
    return with("keySpec", spec.label());
  }

  public SignBody scheme(SignatureScheme scheme) {
    return with("signatureAlgorithm", scheme.label());
  }

  public SignBody requestId(UUID requestId) {
    return with("requestId", requestId.toString());
  }

  public SignBody deadlineMillis(long millis) {
    return with("deadlineMillis", millis);
  }

  /** Adds or replaces an attribute of the signer. */
  public SignBody signer(String attribute, Object value) {
    Map<String, Object> signer = new LinkedHashMap<>();
    ((Map<?, ?>) fields.getOrDefault("signer", Map.of()))
        .forEach((name, old) -> signer.put(String.valueOf(name), old));
    signer.put(attribute, value);
    return with("signer", signer);
  }

  /** Adds or replaces a field. */
  public SignBody with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new SignBody(more);
  }

  public SignBody without(String field) {
    Map<String, Object> fewer = new LinkedHashMap<>(fields);
    fewer.remove(field);
    return new SignBody(fewer);
  }

  public String json() {
    return JSON.writeValueAsString(fields);
  }
}
