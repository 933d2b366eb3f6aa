package org.keywell.dss;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.concurrent.atomic.AtomicInteger;
import org.keywell.client.KeywellClient;
import org.keywell.client.ServiceProblemException;
import org.keywell.client.UnexpectedAnswerException;

/**
 * How many bytes a PDF keeps for CMS that the service will make, certificates included: they are
 * signed before the signer's certificate is known. Thread-safe.
 */
final class ContainerSpace {

  /** For an issuing CA's certificate, and all else. */
  static final int USUAL = 12 * 1024;

  /** For the signer's certificate, which may state how the signer was identified, and the rest. */
  private static final int BESIDES_ISSUERS = 9 * 1024;

  /** By which CMS under the same CA may differ: by the signer's certificate. */
  private static final int MORE = 2 * 1024;

  private final AtomicInteger bytes = new AtomicInteger(USUAL);
  private volatile boolean asked;

  /** Returns what is known without a call. */
  int known() {
    return bytes.get();
  }

  /**
   * Returns what is known with the certificates of the service's issuing CA, which are asked for
   * once.
   *
   * @throws IOException if the service could not be reached
   */
  int expected(KeywellClient client) throws IOException, InterruptedException {
    if (!asked) {
      try {
        makeRoom(BESIDES_ISSUERS + Certificates.bytes(client.chainPem()));
      } catch (ServiceProblemException | UnexpectedAnswerException | CertificateException e) {
        // The usual has to do.
      }
      asked = true;
    }
    return known();
  }

  /** Keeps space for CMS like this from now on. */
  void makeRoomFor(byte[] cms) {
    makeRoom(cms.length + MORE);
  }

  private void makeRoom(int needed) {
    bytes.accumulateAndGet(needed, Math::max);
  }
}
