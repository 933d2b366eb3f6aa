package org.keywell.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/** Verifies a signature over a file with the key of the certificate that came with it. */
public final class SignatureCheck {
  private static final int BUFFER_BYTES = 1 << 16;

  private SignatureCheck() {}

  /**
   * Whether the signature matches file and certificate. Reads the file again, so it also detects a
   * change since the digest was computed. Does not check whether the certificate is trustworthy.
   *
   * @throws IOException if the file cannot be read, or the certificate or algorithm is not usable
   */
  public static boolean verifies(Path file, Digest digest, SignResponse response)
      throws IOException {
    try {
      X509Certificate leaf = certificate(response.certificateChain().get(0));
      Signature verifier = verifier(response.signatureAlgorithm(), digest);
      verifier.initVerify(leaf.getPublicKey());
      update(verifier, file);
      return verifier.verify(response.signature());
    } catch (GeneralSecurityException e) {
      throw new IOException("the answer's signature cannot be checked: " + e.getMessage(), e);
    }
  }

  private static X509Certificate certificate(byte[] der) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static Signature verifier(String algorithm, Digest digest)
      throws GeneralSecurityException {
    String hash = digest.nameInSignatures();
    return switch (algorithm) {
      case "RSASSA-PKCS1-v1_5" -> Signature.getInstance(hash + "withRSA");
      case "ECDSA" -> Signature.getInstance(hash + "withECDSA");
      case "RSASSA-PSS" -> pssVerifier(digest);
      default -> throw new GeneralSecurityException("unknown signature algorithm " + algorithm);
    };
  }

  private static Signature pssVerifier(Digest digest) throws GeneralSecurityException {
    String hash = digest.label();
    int saltBytes = MessageDigest.getInstance(hash).getDigestLength();
    Signature verifier = Signature.getInstance("RSASSA-PSS");
    verifier.setParameter(
        new PSSParameterSpec(
            hash,
            "MGF1",
            new MGF1ParameterSpec(hash),
            saltBytes,
            PSSParameterSpec.TRAILER_FIELD_BC));
    return verifier;
  }

  private static void update(Signature verifier, Path file)
      throws IOException, GeneralSecurityException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        verifier.update(buffer, 0, read);
      }
    }
  }
}
