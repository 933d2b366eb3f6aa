package org.keywell.rest.log;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.signing.log.OwnWitness;
import org.keywell.signing.sign.CallerReads;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code /witness}: this deployment as a witness of others' logs (C2SP tlog-witness), for everyone;
 * what counts is the log's signature. Not in the OpenAPI document, as {@link LogController}.
 */
@Hidden
@RestController
public final class WitnessController {

  private static final MediaType TEXT = new MediaType("text", "plain", StandardCharsets.UTF_8);
  private static final MediaType SIZE = new MediaType("text", "x.tlog.size");
  private static final int CONFLICT = 409;
  private static final Duration SOON = Duration.ofSeconds(5);

  private final OwnWitness witness;
  private final CallerReads places;

  /**
   * @param places bound how many offers are judged at once, beside callers' reads
   */
  public WitnessController(OwnWitness witness, CallerReads places) {
    this.witness = witness;
    this.places = places;
  }

  @GetMapping("/witness/key")
  public ResponseEntity<byte[]> key() {
    requireWitness();
    return text(200, TEXT, String.join("\n", witness.keys()) + "\n");
  }

  @PostMapping("/witness/add-checkpoint")
  public ResponseEntity<byte[]> addCheckpoint(HttpServletRequest http) throws IOException {
    requireWitness();
    byte[] body = http.getInputStream().readNBytes(OwnWitness.MAX_OFFER + 1);
    if (body.length > OwnWitness.MAX_OFFER) {
      throw new ProblemException(
          ProblemType.BODY_TOO_LARGE, "an offer has at most " + OwnWitness.MAX_OFFER + " bytes");
    }
    return places
        .read(CurrentCaller.of(http), () -> offered(body))
        .map(answer ->
            text(answer.status(), answer.status() == CONFLICT ? SIZE : TEXT, answer.body()))
        .orElseGet(() ->
            ResponseEntity.status(503)
                .header(HttpHeaders.RETRY_AFTER, Long.toString(SOON.toSeconds()))
                .build());
  }

  private Optional<OwnWitness.Answer> offered(byte[] body) {
    try {
      return witness.offered(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private void requireWitness() {
    if (!witness.isOne()) {
      throw new ProblemException(
          ProblemType.NOT_FOUND, "this service is no witness: keywell.log.witness.name is not set");
    }
  }

  private static ResponseEntity<byte[]> text(int status, MediaType type, String text) {
    return ResponseEntity.status(status)
        .contentType(type)
        .cacheControl(CacheControl.noStore())
        .body(text.getBytes(StandardCharsets.UTF_8));
  }
}
