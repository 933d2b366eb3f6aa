package org.keywell.ca.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;

/** An issuing CA many levels below its root, with large certificates. */
public final class LongChain {
  private static final ASN1ObjectIdentifier PADDING = new ASN1ObjectIdentifier("2.999.4");

  private LongChain() {}

  /**
   * An authority whose chain has this many certificates and the root.
   *
   * @param padding bytes in each, besides what it needs
   */
  public static CertificateAuthority authority(int issuers, int padding) {
    try {
      return new BouncyCastleCertificateAuthority(
          issuingKey(issuers, padding),
          SampleProfiles.all(),
          SigningLimits.defaults(),
          InstantSource.system(),
          new SecureRandom());
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new AssertionError(e);
    }
  }

  private static IssuingKey issuingKey(int issuers, int padding)
      throws GeneralSecurityException, OperatorCreationException, CertIOException {
    List<X509Certificate> chain = new ArrayList<>();
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    Provider provider = keys.getProvider();
    KeyPair above = keys.generateKeyPair();
    X500Name issuer = new X500Name("CN=Level 0");
    KeyPair pair = above;
    for (int level = 0; level <= issuers; level++) {
      X500Name name = new X500Name("CN=Level " + level);
      chain.addFirst(certificate(name, pair, issuer, above, level == 0 ? 0 : padding));
      if (level < issuers) {
        issuer = name;
        above = pair;
        pair = keys.generateKeyPair();
      }
    }
    return new IssuingKey(pair.getPrivate(), provider, chain);
  }

  private static X509Certificate certificate(
      X500Name name, KeyPair pair, X500Name issuer, KeyPair above, int padding)
      throws GeneralSecurityException, OperatorCreationException, CertIOException {
    Instant now = Instant.now();
    JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
    return new JcaX509CertificateConverter()
        .getCertificate(
            new JcaX509v3CertificateBuilder(
                    issuer,
                    new BigInteger(64, new SecureRandom()).add(BigInteger.ONE),
                    Date.from(now.minusSeconds(60)),
                    Date.from(now.plus(Duration.ofDays(3650))),
                    name,
                    pair.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(true))
                .addExtension(
                    Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                .addExtension(
                    Extension.subjectKeyIdentifier,
                    false,
                    identifiers.createSubjectKeyIdentifier(pair.getPublic()))
                .addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    identifiers.createAuthorityKeyIdentifier(above.getPublic()))
                .addExtension(PADDING, false, new DEROctetString(new byte[padding]))
                .build(new JcaContentSignerBuilder("SHA256withECDSA").build(above.getPrivate())));
  }
}
