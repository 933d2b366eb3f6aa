package org.keywell.dss;

import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.model.TimestampBinary;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;

/**
 * Time stamps, and how many bytes a PDF keeps for one: more than the largest so far, or than the
 * authority's certificates if it is the service. Thread-safe.
 */
final class MeasuredTimestamps implements TSPSource {
  private static final long serialVersionUID = 1L;

  /** For two to six certificates. */
  private static final int USUAL = 16 * 1024;

  /** For all but certificates. */
  private static final int BESIDES_CERTIFICATES = 4 * 1024;

  private final TSPSource source;
  private final transient @Nullable KeywellClient service;
  private final AtomicInteger bytes = new AtomicInteger(USUAL);
  private volatile boolean asked;

  /**
   * @param service whose time stamps they are; null for another authority's
   */
  MeasuredTimestamps(TSPSource source, @Nullable KeywellClient service) {
    this.source = source;
    this.service = service;
  }

  @Override
  public TimestampBinary getTimeStampResponse(DigestAlgorithm algorithm, byte[] digest) {
    TimestampBinary stamp = source.getTimeStampResponse(algorithm, digest);
    makeRoom(stamp.getBytes().length);
    return stamp;
  }

  /** Returns the space for one; the service is asked for its certificates once. */
  int space() {
    if (service != null && !asked) {
      try {
        String chain = service.timeStampChainPem().orElse("");
        makeRoom(Certificates.bytes(chain));
      } catch (IOException | CertificateException e) {
        // The usual has to do: the time stamp itself says what is wrong.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      asked = true;
    }
    return bytes.get();
  }

  private void makeRoom(int stampOrCertificates) {
    bytes.accumulateAndGet(stampOrCertificates + BESIDES_CERTIFICATES, Math::max);
  }
}
