package org.keywell.ca.token;

import java.net.URI;
import java.security.KeyPair;
import java.security.NoSuchProviderException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.DistinguishedNames;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/** A root and an issuing CA whose keys are in memory. */
public final class SoftwareCa {
  private static final X500Name ISSUING = DistinguishedNames.of(name("Test Issuing"));

  private SoftwareCa() {}

  /** An authority with profiles of each kind. */
  public static CertificateAuthority authority() {
    return authority(SampleProfiles.all());
  }

  public static CertificateAuthority authority(CertificateProfiles profiles) {
    return new BouncyCastleCertificateAuthority(
        issuingKey(CaKeySpec.EC_P256),
        profiles,
        SigningLimits.defaults(),
        InstantSource.system(),
        new SecureRandom());
  }

  /** A new issuing key under a new root, valid from now for 10 years. */
  public static IssuingKey issuingKey(CaKeySpec spec) {
    return issuingKey(spec, Instant.now(), Duration.ofDays(3650));
  }

  public static IssuingKey issuingKey(CaKeySpec spec, Instant now, Duration validity) {
    CaCertificates certificates = new CaCertificates(new SecureRandom(), Optional.empty());
    CaKey rootKey = generate(spec);
    X509Certificate root = certificates.root(rootKey, name("Test Root"), now, validity);
    CaKey key = generate(spec);
    X509Certificate issuing = certificates.issuing(key, ISSUING, rootKey, root, now, validity);
    return new IssuingKey(key.privateKey(), key.provider(), List.of(issuing, root));
  }

  /**
   * A key on P-256 that a CA which publishes lists has certified for one use, with its chain.
   *
   * @param validity from now on
   */
  public static IssuingKey certified(ServiceUse use, IssuingKey by, URI lists, Duration validity) {
    CaCertificates certificates = new CaCertificates(new SecureRandom(), Optional.of(lists));
    CaKey issuing = new CaKey(by.privateKey(), by.certificate().getPublicKey(), by.provider());
    CaKey unit = generate(CaKeySpec.EC_P256);
    X509Certificate certificate =
        certificates.service(
            use, unit, name("Test Unit"), issuing, by.certificate(), Instant.now(), validity);
    return new IssuingKey(
        unit.privateKey(),
        unit.provider(),
        List.of(certificate, by.chain().getFirst(), by.chain().getLast()));
  }

  /** An issuing key whose certificate is valid for ten times as long as its root's. */
  public static IssuingKey issuingKeyThatOutlivesItsRoot(Instant now, Duration rootValidity) {
    CaCertificates certificates = new CaCertificates(new SecureRandom(), Optional.empty());
    Duration longer = rootValidity.multipliedBy(10);
    CaKey rootKey = generate(CaKeySpec.EC_P256);
    X509Certificate renewed = certificates.root(rootKey, name("Test Root"), now, longer);
    X509Certificate root = certificates.root(rootKey, name("Test Root"), now, rootValidity);
    CaKey key = generate(CaKeySpec.EC_P256);
    X509Certificate issuing = certificates.issuing(key, ISSUING, rootKey, renewed, now, longer);
    return new IssuingKey(key.privateKey(), key.provider(), List.of(issuing, root));
  }

  private static CaKey generate(CaKeySpec spec) {
    Provider provider = spec.label().startsWith("EC") ? provider("SunEC") : provider("SunRsaSign");
    KeyPair pair = spec.generate(provider);
    return new CaKey(pair.getPrivate(), pair.getPublic(), provider);
  }

  private static Provider provider(String name) {
    Provider provider = Security.getProvider(name);
    if (provider == null) {
      throw new AssertionError(new NoSuchProviderException(name));
    }
    return provider;
  }

  private static Subject name(String commonName) {
    return new Subject(commonName, null, null, null, "Keywell", null, "SE");
  }
}
