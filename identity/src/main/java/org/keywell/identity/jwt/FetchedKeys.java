package org.keywell.identity.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.text.ParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProviderAddress;
import org.keywell.identity.ProviderDocuments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The keys that an issuer currently publishes; each call fetches them. Thread-safe. */
final class FetchedKeys implements JWKSetSource<SecurityContext> {

  private static final Logger log = LoggerFactory.getLogger(FetchedKeys.class);

  /** Room for hundreds of keys. */
  private static final int MAX_BYTES = 256 * 1024;

  private static final int LEAST_RSA_BITS = 2048;

  private final ProviderAddress address;
  private final ProviderDocuments documents;
  private volatile boolean failing;

  FetchedKeys(ProviderAddress address, ProviderDocuments documents) {
    this.address = address;
    this.documents = documents;
  }

  /** Whether the last attempt failed. */
  boolean isFailing() {
    return failing;
  }

  @Override
  public JWKSet getJWKSet(
      JWKSetCacheRefreshEvaluator ignored, long currentTime, @Nullable SecurityContext context)
      throws JWKSetUnavailableException {
    try {
      JWKSet keys = fetch();
      if (failing) {
        log.info("the keys at {} can be fetched again", address);
      }
      failing = false;
      return keys;
    } catch (JWKSetUnavailableException e) {
      if (!failing) {
        log.warn("{}; known keys are used meanwhile, if there are any", e.getMessage());
      }
      failing = true;
      throw e;
    }
  }

  private JWKSet fetch() throws JWKSetUnavailableException {
    try {
      byte[] document = documents.fetch(address, MAX_BYTES);
      List<JWK> keys =
          JWKSet.parse(new String(document, UTF_8)).getKeys().stream()
              .filter(FetchedKeys::verifiesSignatures)
              .toList();
      if (keys.isEmpty()) {
        throw new JWKSetUnavailableException(address + " has no public key for signatures");
      }
      return new JWKSet(keys);
    } catch (IOException e) {
      throw new JWKSetUnavailableException("keys are not to be had: " + e.getMessage(), e);
    } catch (ParseException e) {
      throw new JWKSetUnavailableException(address + " is no JWK set (RFC 7517)", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JWKSetUnavailableException("interrupted while keys were fetched", e);
    }
  }

  /** A published private key proves nothing, and a symmetric key does not prove who signed. */
  private static boolean verifiesSignatures(JWK key) {
    KeyUse use = key.getKeyUse();
    if (key.isPrivate() || (use != null && !use.equals(KeyUse.SIGNATURE))) {
      return false;
    }
    return key instanceof ECKey || (key instanceof RSAKey && key.size() >= LEAST_RSA_BITS);
  }

  @Override
  public void close() {
    // Nothing is open between calls.
  }
}
