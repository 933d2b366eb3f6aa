package org.keywell.acceptance.running;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import tools.jackson.databind.JsonNode;

/** An answer as its receiver checks it: with Bouncy Castle, which signed nothing here. */
public record SignedAnswer(byte[] signature, List<X509Certificate> chain, boolean preGenerated) {

  private static final Provider BOUNCY_CASTLE = new BouncyCastleProvider();

  public static SignedAnswer of(HttpApi.Answer answer) throws GeneralSecurityException {
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    List<X509Certificate> chain = new ArrayList<>();
    for (JsonNode certificate : answer.body().path("certificateChain")) {
      byte[] der = Base64.getDecoder().decode(certificate.asString());
      chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
    }
    return new SignedAnswer(
        Base64.getDecoder().decode(answer.body().path("signature").asString()),
        chain,
        answer.body().path("preGeneratedKeyPair").asBoolean());
  }

  public PublicKey publicKey() {
    return chain.getFirst().getPublicKey();
  }

  /** The signature over the document, and the chain up to its root. */
  public void verify(String algorithm, byte[] document) throws GeneralSecurityException {
    Signature verifier = Signature.getInstance(algorithm, BOUNCY_CASTLE);
    verifier.initVerify(publicKey());
    verifier.update(document);
    assertThat(verifier.verify(signature)).as("the signature verifies").isTrue();
    verifyChain();
  }

  /** The chain up to its root. */
  public void verifyChain() throws GeneralSecurityException {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(chain.getLast(), null)));
    parameters.setRevocationEnabled(false);
    CertPathValidator.getInstance("PKIX", BOUNCY_CASTLE)
        .validate(
            CertificateFactory.getInstance("X.509", BOUNCY_CASTLE)
                .generateCertPath(chain.subList(0, chain.size() - 1)),
            parameters);
  }
}
