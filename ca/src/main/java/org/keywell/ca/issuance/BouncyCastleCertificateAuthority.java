package org.keywell.ca.issuance;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.Validity;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.CaChain;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfile;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.Certification.Certified;
import org.keywell.ca.Certification.Reason;
import org.keywell.ca.Certification.Refused;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.InvalidSubjectException;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;

/**
 * Issues X.509 v3 certificates (RFC 5280) of several profiles under one issuing key. Thread-safe;
 * holds no resource that needs closing. A certificate never outlives the CA's own: its {@code
 * notAfter} is at most the earliest one in the chain.
 */
public final class BouncyCastleCertificateAuthority implements CertificateAuthority {
  private static final Refused NOT_VALID =
      new Refused(
          Reason.CA_NOT_VALID,
          "the CA's certificates are not valid now, or not for minValidity any more");

  /** Servers have their names in an extension alone. */
  private static final X500Name NOBODY = new X500Name(new RDN[0]);

  private final List<X509Certificate> chain;
  private final CaChain issuedUnder;
  private final SignerPool signers;
  private final Map<String, Kind> kinds;
  private final ValidityPeriod validity;
  private final SerialNumbers serialNumbers;
  private final InstantSource clock;

  private final Issuer issuer;

  /** A profile with its template. */
  private record Kind(
      CertificateProfile profile, CertificateTemplate template, Optional<CrlPointer> crls) {}

  /**
   * Signs once, to prove that the issuing key works and fits its certificate.
   *
   * @throws IssuingKeyException if it does not, or if the issuing certificate is not a CA's
   */
  public BouncyCastleCertificateAuthority(
      IssuingKey key,
      CertificateProfiles profiles,
      SigningLimits limits,
      InstantSource clock,
      SecureRandom random) {
    this.issuer = Issuer.of(key.certificate());
    this.chain = key.chain();
    this.issuedUnder = CaChain.of(chain);
    this.signers = IssuingKeyProof.provenPool(key, limits);
    this.kinds =
        profiles.all().entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, named -> kind(named.getValue(), profiles)));
    this.validity = new ValidityPeriod(profiles.minValidity(), chain);
    this.serialNumbers = new SerialNumbers(random);
    this.clock = clock;
  }

  private Kind kind(CertificateProfile profile, CertificateProfiles profiles) {
    return new Kind(
        profile,
        new CertificateTemplate(
            issuer.name(),
            signers.algorithmIdentifier(),
            ProfileExtensions.of(profile, issuer.keyIdentifier(), profiles.responders())),
        profiles
            .lists()
            .filter(_ -> profile.crlsByDay())
            .map(base -> new CrlPointer(base, issuer.keyIdentifier())));
  }

  @Override
  public List<X509Certificate> chain() {
    return chain;
  }

  @Override
  public boolean isValid() {
    return validity.allows(clock.millis());
  }

  @Override
  public Optional<Refused> prove() {
    if (!isValid()) {
      return Optional.of(NOT_VALID);
    }
    try {
      IssuingKeyProof.prove(signers);
      return Optional.empty();
    } catch (CaSigningException e) {
      return Optional.of(e.refusal());
    }
  }

  @Override
  public Certification certify(CertificationRequest request) {
    Kind kind = kinds.get(request.profile());
    if (kind == null) {
      return new Refused(Reason.PROFILE_UNKNOWN, "the CA has no such profile");
    }
    try {
      kind.profile().require(request.subject());
    } catch (InvalidSubjectException e) {
      return new Refused(Reason.SUBJECT_NOT_ALLOWED, String.valueOf(e.getMessage()));
    }
    return certify(
        kind,
        request.publicKey(),
        request.proof(),
        DistinguishedNames.of(request.subject()),
        authentication(kind, request));
  }

  /** Certifies a server's key under the profile {@code standard}. */
  Certification certify(byte[] publicKey, ProofOfPossession proof, Extension names) {
    Kind kind = Objects.requireNonNull(kinds.get(CertificateProfiles.STANDARD));
    return certify(kind, publicKey, proof, NOBODY, names);
  }

  private Certification certify(
      Kind kind,
      byte[] publicKey,
      ProofOfPossession proof,
      X500Name subject,
      @Nullable Extension own) {
    try {
      SubjectKey key = SubjectKey.decode(publicKey);
      // INVARIANT: no certificate for a key whose proof was not verified in this very call.
      if (!PossessionCheck.holds(key, proof)) {
        return new Refused(
            Reason.POSSESSION_NOT_PROVEN, "the signature does not verify with the public key");
      }
      Optional<Validity> period = validity.from(clock.instant(), kind.profile());
      if (period.isEmpty()) {
        return NOT_VALID;
      }
      List<Extension> extensions = new ArrayList<>(2);
      if (own != null) {
        extensions.add(own);
      }
      kind.crls()
          .map(crls -> crls.of(period.get().getNotBefore().getDate().toInstant()))
          .ifPresent(extensions::add);
      return issue(kind.template(), period.get(), subject, key, extensions);
    } catch (KeyNotAllowedException e) {
      return new Refused(Reason.KEY_NOT_ALLOWED, e.detail());
    } catch (CaSigningException e) {
      return e.refusal();
    } catch (IOException e) {
      throw new AssertionError("encoding to memory", e);
    }
  }

  private Certified issue(
      CertificateTemplate template,
      Validity period,
      X500Name subject,
      SubjectKey key,
      List<Extension> own)
      throws CaSigningException, IOException {
    BigInteger serial = serialNumbers.next();
    TBSCertificate content = template.fill(serial, period, subject, key, own);
    return new Certified(serial, signed(content), issuedUnder);
  }

  private byte[] signed(TBSCertificate content) throws CaSigningException, IOException {
    byte[] signature = signers.sign(content.getEncoded("DER"));
    ASN1EncodableVector all = new ASN1EncodableVector(3);
    all.add(content);
    all.add(signers.algorithmIdentifier());
    all.add(new DERBitString(signature));
    return new DERSequence(all).getEncoded("DER");
  }

  @Override
  public ListAnswer sign(RevocationList list) {
    try {
      AlgorithmIdentifier algorithm = signers.algorithmIdentifier();
      byte[] content = CrlContent.of(issuer, algorithm, list);
      return new ListAnswer.Signed(CrlContent.whole(content, algorithm, signers.sign(content)));
    } catch (CaSigningException e) {
      return new ListAnswer.NotSigned(e.detail());
    } catch (IOException e) {
      throw new AssertionError("encoding to memory", e);
    }
  }

  private static @Nullable Extension authentication(Kind kind, CertificationRequest request) {
    AuthenticationContext context = request.authentication();
    return context == null || !kind.profile().authenticationContext()
        ? null
        : AuthenticationContextExtension.of(context);
  }
}
