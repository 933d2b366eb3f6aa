package org.keywell.ca.issuance;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.bouncycastle.asn1.ASN1Object;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.pkcs.CertificationRequestInfo;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofOfPossession;
import org.keywell.ca.ProofScheme;

/**
 * A PKCS #10 request (RFC 2986) that a one-time key signs to prove possession before it is
 * certified and before any document is signed (thesis section 3.7).
 *
 * <p>Its digest cannot equal a document's: it contains 32 random octets that are drawn after the
 * caller has named its digests, or discarded before it names any, and it never leaves the service.
 * Its subject states its purpose, so it requests no certificate in anyone's name. Used once; not
 * thread-safe.
 */
public final class PossessionRequest {

  private static final X500Name SUBJECT = new X500Name("CN=Keywell proof of possession");
  private static final int CHALLENGE_BYTES = 32;

  private final ProofAlgorithms algorithms;
  private final CertificationRequestInfo info;

  /**
   * Creates a request with a fresh challenge.
   *
   * @param publicKey a DER {@code SubjectPublicKeyInfo}
   * @throws IllegalArgumentException if it is not
   */
  public PossessionRequest(
      byte[] publicKey, ProofScheme scheme, ProofDigest digest, SecureRandom random) {
    byte[] challenge = new byte[CHALLENGE_BYTES];
    random.nextBytes(challenge);
    this.algorithms = new ProofAlgorithms(scheme, digest);
    this.info =
        new CertificationRequestInfo(
            SUBJECT,
            SubjectPublicKeyInfo.getInstance(publicKey),
            new DERSet(
                new Attribute(
                    PKCSObjectIdentifiers.pkcs_9_at_challengePassword,
                    new DERSet(new DERUTF8String(HexFormat.of().formatHex(challenge))))));
  }

  /** Returns what the key is to sign: a digest or a message, as the scheme requires. */
  public byte[] toSign() {
    return algorithms.signed(encoded(info));
  }

  /**
   * Returns the proof.
   *
   * @param signature over {@link #toSign}
   */
  public ProofOfPossession signedBy(byte[] signature) {
    return new ProofOfPossession.SignedRequest(
        encoded(
            new CertificationRequest(info, algorithms.identifier(), new DERBitString(signature))));
  }

  private static byte[] encoded(ASN1Object object) {
    try {
      return object.getEncoded("DER");
    } catch (IOException e) {
      throw new AssertionError("encoding to memory", e);
    }
  }
}
