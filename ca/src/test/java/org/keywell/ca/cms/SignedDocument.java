package org.keywell.ca.cms;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectKeyPair;
import org.keywell.ca.token.SoftwareCa;

/** A document's signature in a container: by a key of the JDK, certified by a CA in memory. */
record SignedDocument(
    byte[] document,
    SignedAttributes attributes,
    byte[] signature,
    Certification.Certified certified,
    byte[] container,
    List<X509Certificate> chain) {

  static final CertificateAuthority CA = SoftwareCa.authority();

  static SignedDocument of(
      SubjectKeyPair pair, ProofScheme scheme, ProofDigest digest, @Nullable Instant signingTime) {
    var certified =
        (Certification.Certified) CA.certify(pair.request(Subject.ofCommonName("Astrid Exempel")));
    byte[] document = "Whereas the parties agree".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    SignedAttributes attributes =
        SignedAttributes.of(digest, hash(digest, document), certified.certificate(), signingTime);
    byte[] signature = pair.sign(scheme, digest, attributes.der());
    return new SignedDocument(
        document,
        attributes,
        signature,
        certified,
        DetachedSignedData.of(
            attributes, scheme, signature, certified.certificate(), CaChain.of(CA.chain())),
        CA.chain());
  }

  X509Certificate certificate() {
    return Certificates.parse(certified.certificate());
  }

  static byte[] hash(ProofDigest digest, byte[] content) {
    try {
      return MessageDigest.getInstance(digest.label()).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
