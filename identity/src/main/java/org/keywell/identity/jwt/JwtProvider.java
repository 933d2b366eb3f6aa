package org.keywell.identity.jwt;

import static java.util.stream.Collectors.toSet;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.AttributeMapping;
import org.keywell.identity.ProofContext;
import org.keywell.identity.ProofRefusal;
import org.keywell.identity.ProofRefusedException;
import org.keywell.identity.ProofType;
import org.keywell.identity.ProvenIdentity;
import org.keywell.identity.RequestBinding;
import org.keywell.identity.TicketReference;

/** Verifies the tickets of one issuer. Thread-safe. */
final class JwtProvider {

  /** An id that is allowed in a certificate as it is. */
  private static final Pattern ID = Pattern.compile("[!-~]{1,256}");

  private final JwtProviderSettings settings;
  private final AttributeMapping mapping;
  private final DefaultJOSEObjectTypeVerifier<SecurityContext> types;
  private final DefaultJWTProcessor<SecurityContext> signatures = new DefaultJWTProcessor<>();

  /**
   * @param keys the issuer's only: no ticket says where its key is
   */
  JwtProvider(JwtProviderSettings settings, JWKSource<SecurityContext> keys) {
    this.settings = settings;
    this.mapping = new AttributeMapping(settings.attributes());
    Set<JOSEObjectType> allowed =
        settings.types().stream().map(JOSEObjectType::new).collect(toSet());
    // RFC 7519, section 5.1: typ is optional.
    allowed.add(null);
    this.types = new DefaultJOSEObjectTypeVerifier<>(allowed);
    signatures.setJWSTypeVerifier(types);
    signatures.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            settings.algorithms().stream().map(JWSAlgorithm::parse).collect(toSet()), keys));
    // Claims are checked below, so that each refusal names its claim.
    signatures.setJWTClaimsSetVerifier(null);
  }

  /**
   * Verifies a ticket that names this issuer.
   *
   * @throws ProofRefusedException if it does not prove who signs
   */
  ProvenIdentity verify(SignedJWT ticket, ProofContext context) {
    try {
      types.verify(ticket.getHeader().getType(), null);
    } catch (BadJOSEException e) {
      throw malformed("the ticket's typ is not one of the provider's types");
    }
    JWTClaimsSet claims = signedClaims(ticket);
    try {
      requireAudience(claims.getAudience());
      TicketTimes times =
          TicketTimes.of(claims, context.now(), settings.maxAge(), settings.clockSkew());
      String assurance = assurance(claims.getStringClaim("acr"));
      String binding = binding(claims, context);
      String reference = reference(claims.getJWTID(), ticket);
      return new ProvenIdentity(
          settings.issuer(),
          times.authenticated(),
          assurance,
          reference,
          TicketReference.sha256(ProofType.JWT, settings.issuer(), reference),
          times.usableUntil(),
          mapping.map(claim -> text(claims, claim)),
          binding);
    } catch (ParseException e) {
      throw malformed("a claim in the ticket is malformed");
    }
  }

  private JWTClaimsSet signedClaims(SignedJWT ticket) {
    try {
      return signatures.process(ticket, null);
    } catch (KeySourceException e) {
      throw new ProofRefusedException(
          ProofRefusal.PROVIDER_UNAVAILABLE, "the issuer's keys cannot be fetched at present");
    } catch (BadJOSEException | JOSEException e) {
      throw new ProofRefusedException(
          ProofRefusal.UNTRUSTED,
          "the ticket is not signed by a key of its issuer with a configured algorithm");
    }
  }

  /** Another party that also accepts the ticket could have passed it on. */
  private void requireAudience(@Nullable List<String> audience) {
    if (audience == null || audience.isEmpty() || !settings.audiences().containsAll(audience)) {
      throw new ProofRefusedException(
          ProofRefusal.WRONG_AUDIENCE,
          "the ticket's aud is not limited to the provider's audiences");
    }
  }

  private String assurance(@Nullable String acr) {
    if (acr == null || !settings.levelsOfAssurance().contains(acr)) {
      throw new ProofRefusedException(
          ProofRefusal.ASSURANCE_TOO_LOW,
          "the ticket's acr is not one of the provider's levels-of-assurance");
    }
    return acr;
  }

  /** Returns the value that later digests must match; null if not required or already compared. */
  private @Nullable String binding(JWTClaimsSet claims, ProofContext context)
      throws ParseException {
    String claim = settings.bindingClaim();
    if (claim == null) {
      return null;
    }
    String said = claims.getStringClaim(claim);
    boolean later = context.digests().isEmpty();
    if (said == null
        || !(later
            || RequestBinding.of(context.digestAlgorithm(), context.digests()).equals(said))) {
      throw new ProofRefusedException(
          ProofRefusal.NOT_BOUND, "the ticket's %s does not match the request".formatted(claim));
    }
    return later ? said : null;
  }

  /** Identifies a ticket by what is signed, not by the signature: ECDSA allows several. */
  private static String reference(@Nullable String id, SignedJWT ticket) {
    if (id == null) {
      return "sha256:" + HexFormat.of().formatHex(RequestBinding.sha256(ticket.getSigningInput()));
    }
    if (!ID.matcher(id).matches()) {
      throw malformed("the ticket's jti is not 1 to 256 visible ASCII characters");
    }
    return id;
  }

  private static @Nullable String text(JWTClaimsSet claims, String claim) {
    return switch (claims.getClaim(claim)) {
      case null -> null;
      case String text -> text;
      default ->
          throw new ProofRefusedException(
              ProofRefusal.ATTRIBUTES, "the ticket's %s is not text".formatted(claim));
    };
  }

  private static ProofRefusedException malformed(String detail) {
    return new ProofRefusedException(ProofRefusal.MALFORMED, detail);
  }
}
