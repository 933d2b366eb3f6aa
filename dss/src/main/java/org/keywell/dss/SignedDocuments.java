package org.keywell.dss;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.keywell.client.SignResponse;

/**
 * The result of an act.
 *
 * @param documents in the order of the request
 * @param digests that the service was sent, in their order
 * @param answer the service's, with its own times
 */
public record SignedDocuments(
    List<Document> documents, List<byte[]> digests, SignResponse answer, SigningTimes times) {

  public SignedDocuments {
    documents = List.copyOf(documents);
    digests = List.copyOf(digests);
  }

  /**
   * Returns the only document.
   *
   * @throws IllegalStateException if there are several
   */
  public Document document() {
    if (documents.size() != 1) {
      throw new IllegalStateException("the act signed %s documents".formatted(documents.size()));
    }
    return documents.get(0);
  }

  /** Returns the certificate of the act's key, its issuer and the root. */
  public List<X509Certificate> certificateChain() {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain = new ArrayList<>();
      for (byte[] certificate : answer.certificateChain()) {
        chain.add(
            (X509Certificate) factory.generateCertificate(new ByteArrayInputStream(certificate)));
      }
      return List.copyOf(chain);
    } catch (CertificateException e) {
      throw new IllegalStateException("DSS has read these certificates", e);
    }
  }
}
