package org.keywell.testkit.jwt;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** An identity provider that issues tickets, good ones and others. */
public final class Issuer {

  public static final String ISSUER = "https://login.example";
  public static final String AUDIENCE = "https://sign.example";
  public static final String LOA3 = "http://id.elegnamnden.se/loa/1.0/loa3";

  private Issuer() {}

  public static ECKey ec(String kid) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(kid).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  public static RSAKey rsa(String kid) {
    try {
      return new RSAKeyGenerator(2048).keyID(kid).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a good ticket says of Astrid Exempel, issued at a time. */
  public static JWTClaimsSet.Builder claims(Instant at) {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(AUDIENCE)
        .jwtID(UUID.randomUUID().toString())
        .issueTime(Date.from(at))
        .expirationTime(Date.from(at.plusSeconds(120)))
        .claim("auth_time", at.getEpochSecond() - 5)
        .claim("acr", LOA3)
        .claim("name", "Astrid Exempel")
        .claim("pnr", "197001011234");
  }

  /** A header as the provider of that key would make it. */
  public static JWSHeader.Builder header(JWK key) {
    return new JWSHeader.Builder(key instanceof ECKey ? JWSAlgorithm.ES256 : JWSAlgorithm.RS256)
        .keyID(key.getKeyID())
        .type(JOSEObjectType.JWT);
  }

  public static String ticket(JWK key, JWTClaimsSet claims) {
    return ticket(key, claims, UnaryOperator.identity());
  }

  public static String ticket(
      JWK key, JWTClaimsSet claims, UnaryOperator<JWSHeader.Builder> header) {
    try {
      SignedJWT ticket = new SignedJWT(header.apply(header(key)).build(), claims);
      ticket.sign(key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner((RSAKey) key));
      return ticket.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }
}
