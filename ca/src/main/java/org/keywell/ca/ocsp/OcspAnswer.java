package org.keywell.ca.ocsp;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;

/** What became of a request for the status of certificates. */
public sealed interface OcspAnswer {

  /** Returns an {@code OCSPResponse}, DER. */
  byte[] response();

  /**
   * It was answered.
   *
   * @param statuses of the certificates, in the order of the request
   * @param repeatable whether all who ask the same before {@code nextUpdate} may get the same
   */
  record Answered(
      byte[] response,
      List<CertificateStatus> statuses,
      Instant thisUpdate,
      Instant nextUpdate,
      boolean repeatable)
      implements OcspAnswer {

    public Answered {
      statuses = List.copyOf(statuses);
    }
  }

  /** It was not answered; nothing of it is signed (RFC 6960, section 2.3). */
  record Failed(Failure failure) implements OcspAnswer {

    @Override
    public byte[] response() {
      try {
        return new OCSPRespBuilder().build(failure.code, null).getEncoded();
      } catch (OCSPException | IOException e) {
        throw new IllegalStateException("an answer without content", e);
      }
    }
  }

  /** Of {@code OCSPResponseStatus} (RFC 6960, section 4.2.1), those that occur here. */
  enum Failure {
    MALFORMED_REQUEST(OCSPRespBuilder.MALFORMED_REQUEST),
    INTERNAL_ERROR(OCSPRespBuilder.INTERNAL_ERROR),
    TRY_LATER(OCSPRespBuilder.TRY_LATER),
    /** The certificates are not of an issuer that this responder answers for (RFC 5019). */
    UNAUTHORIZED(OCSPRespBuilder.UNAUTHORIZED);

    private final int code;

    Failure(int code) {
      this.code = code;
    }
  }
}
