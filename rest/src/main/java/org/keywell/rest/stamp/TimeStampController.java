package org.keywell.rest.stamp;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;
import org.keywell.ca.timestamp.TimeStampUnit;
import org.keywell.ca.token.PemCertificates;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.signing.stamp.TimeStamps;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code POST /tsa}, and the certificates to verify its time stamps with. Not in the OpenAPI
 * document: its clients are those of RFC 3161.
 */
@Hidden
@RestController
public final class TimeStampController {

  private static final String QUERY = "application/timestamp-query";
  private static final MediaType REPLY = new MediaType("application", "timestamp-reply");
  private static final MediaType CHAIN = new MediaType("application", "pem-certificate-chain");

  private final TimeStamps stamps;

  public TimeStampController(TimeStamps stamps) {
    this.stamps = stamps;
  }

  @PostMapping(path = "/tsa", consumes = QUERY)
  public ResponseEntity<byte[]> stamp(HttpServletRequest http)
      throws IOException, InterruptedException {
    requireAuthority();
    byte[] request = http.getInputStream().readNBytes(TimeStampUnit.MAX_REQUEST_BYTES + 1);
    if (request.length > TimeStampUnit.MAX_REQUEST_BYTES) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE,
          "a time-stamp request has at most " + TimeStampUnit.MAX_REQUEST_BYTES + " bytes");
    }
    return ResponseEntity.ok()
        .contentType(REPLY)
        .cacheControl(CacheControl.noStore())
        .body(stamps.stamp(CurrentCaller.of(http), request).response());
  }

  /** One unit's chain after the other. */
  @GetMapping("/tsa/chain")
  public ResponseEntity<byte[]> chain() {
    requireAuthority();
    List<X509Certificate> all = stamps.chains().stream().flatMap(List::stream).distinct().toList();
    return ResponseEntity.ok()
        .contentType(CHAIN)
        .body(PemCertificates.write(all).getBytes(StandardCharsets.US_ASCII));
  }

  private void requireAuthority() {
    if (!stamps.isOne()) {
      throw new ProblemException(
          ProblemType.NOT_FOUND,
          "this service makes no time stamps: keywell.tsa.enabled is not set");
    }
  }
}
