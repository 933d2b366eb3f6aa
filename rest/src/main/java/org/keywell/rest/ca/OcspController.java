package org.keywell.rest.ca;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import org.keywell.ca.ocsp.OcspAnswer;
import org.keywell.ca.ocsp.OcspAnswer.Answered;
import org.keywell.ca.ocsp.OcspRequest;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.signing.revocation.OcspAnswers;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /ca/ocsp/…}: the status of certificates (RFC 6960, appendix A; RFC 5019, sections 5 and
 * 6). Not in the OpenAPI document: validators find it by the certificates.
 */
@Hidden
@RestController
public final class OcspController {

  private static final MediaType RESPONSE = new MediaType("application", "ocsp-response");

  /** As lists. Validators use an answer until its {@code nextUpdate} anyway. */
  private static final Duration CACHED = Duration.ofMinutes(1);

  private final OcspAnswers answers;
  private final InstantSource clock;

  public OcspController(OcspAnswers answers, InstantSource clock) {
    this.answers = answers;
    this.clock = clock;
  }

  @PostMapping(path = "/ca/ocsp/{issuer}", consumes = "application/ocsp-request")
  public ResponseEntity<byte[]> post(@PathVariable String issuer, HttpServletRequest http)
      throws IOException {
    return answer(issuer, http.getInputStream().readNBytes(OcspRequest.MAX_BYTES + 1), http);
  }

  /** The rest of the address is in an attribute: see {@link OcspAddresses}. */
  @GetMapping("/ca/ocsp/{issuer}")
  public ResponseEntity<byte[]> get(@PathVariable String issuer, HttpServletRequest http) {
    return answer(issuer, OcspAddresses.request(http), http);
  }

  private ResponseEntity<byte[]> answer(String issuer, byte[] request, HttpServletRequest http) {
    if (!answers.isOn()) {
      throw new ProblemException(
          ProblemType.NOT_FOUND, "this service has no OCSP: keywell.ca.ocsp.uri is not set");
    }
    OcspAnswer answer = answers.answer(CurrentCaller.of(http), issuer, request);
    ResponseEntity.BodyBuilder response = ResponseEntity.ok().contentType(RESPONSE);
    if (answer instanceof Answered answered && answered.repeatable()) {
      response
          .cacheControl(CacheControl.maxAge(cached(answered.nextUpdate())).cachePublic())
          .eTag("\"" + fingerprint(answered.response()) + "\"")
          .lastModified(answered.thisUpdate())
          .headers(headers -> headers.setExpires(answered.nextUpdate().toEpochMilli()));
    } else {
      response.cacheControl(CacheControl.noStore());
    }
    // Spring would call it f.txt.
    return response
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"status.ors\"")
        .body(answer.response());
  }

  private Duration cached(Instant nextUpdate) {
    Duration left = Duration.between(clock.instant(), nextUpdate);
    return left.compareTo(CACHED) < 0 ? left : CACHED;
  }

  private static String fingerprint(byte[] response) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(response));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has it", e);
    }
  }
}
