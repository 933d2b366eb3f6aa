package org.keywell.identity.jwt;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTParser;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProofVerifier;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.ProviderDocuments;
import org.keywell.settings.StartRefusedException;

/**
 * Verifies signed JSON Web Tokens (RFC 7519, RFC 7515) according to RFC 8725: a token's header
 * selects one of its issuer's configured keys, and nothing else. Thread-safe.
 */
public final class JwtProofs implements ProofVerifier, AutoCloseable {

  private final Map<String, JwtProvider> byIssuer = new HashMap<>();
  private final ThreadPoolExecutor background;

  /**
   * @param providers each issuer once
   * @throws StartRefusedException if a key file is invalid; keys from elsewhere may arrive later
   */
  public JwtProofs(
      List<JwtProviderSettings> providers, ProviderDocuments documents, InstantSource clock) {
    // Each provider has at most one fetch at a time.
    this.background =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(Math.max(1, providers.size())),
            Thread.ofPlatform().daemon().name("keywell-jwks").factory(),
            new ThreadPoolExecutor.DiscardPolicy());
    for (JwtProviderSettings settings : providers) {
      ProviderKeys keys =
          new ProviderKeys(
              settings.jwks(),
              documents,
              settings.keysRefreshed(),
              settings.keysKept(),
              background,
              clock);
      if (settings.jwks().isFile()) {
        require(keys, settings);
      }
      byIssuer.put(settings.issuer(), new JwtProvider(settings, keys));
    }
  }

  private static void require(ProviderKeys keys, JwtProviderSettings settings) {
    try {
      keys.require();
    } catch (KeySourceException e) {
      throw new StartRefusedException(
          "identity provider %s: %s".formatted(settings.issuer(), e.getMessage()), e);
    }
  }

  @Override
  public ProvenIdentity verify(String ticket, ProofContext context) {
    SignedJWT token = signed(ticket);
    // The unverified issuer only selects the keys; the signature decides.
    JwtProvider provider = byIssuer.get(issuer(token));
    if (provider == null) {
      throw new ProofRefusedException(
          ProofRefusal.UNTRUSTED, "the ticket's issuer is not in keywell.identity.providers-file");
    }
    return provider.verify(token, context);
  }

  private static SignedJWT signed(String ticket) {
    JWT token;
    try {
      token = JWTParser.parse(ticket);
    } catch (ParseException | RuntimeException e) {
      // The library takes a header that is null for an object.
      throw malformed("the ticket is not a JWT in compact form");
    }
    return switch (token) {
      case SignedJWT signed -> {
        // RFC 7515, section 4.1.11: unknown critical parameters must be refused.
        if (signed.getHeader().getCriticalParams() != null) {
          throw malformed("the ticket's header has crit, which is not supported");
        }
        yield signed;
      }
      case PlainJWT _ ->
          throw new ProofRefusedException(ProofRefusal.UNTRUSTED, "the ticket is not signed");
      default -> throw malformed("the ticket is encrypted; only signed tickets are accepted");
    };
  }

  private static @Nullable String issuer(SignedJWT token) {
    try {
      return token.getJWTClaimsSet().getIssuer();
    } catch (ParseException | RuntimeException e) {
      throw malformed("the ticket's content is not a set of claims (RFC 7519)");
    }
  }

  private static ProofRefusedException malformed(String detail) {
    return new ProofRefusedException(ProofRefusal.MALFORMED, detail);
  }

  @Override
  public void close() {
    background.shutdownNow();
  }
}
