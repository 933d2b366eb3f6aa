package org.keywell.rest.sign;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.json.SignRequestBody;
import org.keywell.json.SignRequestParser;
import org.keywell.json.SignResponse;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.rest.security.RefusalFilter;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.sign.SignService;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /sign} and {@code GET /sign/{requestId}}. */
@Tag(name = "Signing")
@RestController
public final class SignController {

  private final SignRequestParser parser;
  private final SignService service;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  public SignController(
      SignRequestParser parser, SignService service, InstantSource clock, LongSupplier nanoClock) {
    this.parser = parser;
    this.service = service;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  @Operation(summary = "Signs a document's digest with a fresh key and certifies that key")
  @ApiResponse(
      responseCode = "200",
      description = "Signed",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = SignResponse.class)))
  @PostMapping(
      path = "/sign",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Object> sign(
      @RequestBody SignRequestBody body,
      @Parameter(
              description = "names the experiment that the request belongs to",
              schema = @Schema(type = "string", pattern = SignRequestParser.TEST_ID))
          @RequestHeader(name = "Keywell-Test-Id", required = false)
          @Nullable String testId,
      HttpServletRequest http)
      throws InterruptedException {
    RequestTimes times = new RequestTimes(clock, nanoClock);
    SignRequest request = parser.parse(body, CurrentCaller.of(http), testId);
    RefusalFilter.note(http, request);
    SignRecord record = service.sign(request, times);
    return render(http, record, ServerTiming.of(record.times(), times));
  }

  @Operation(summary = "Returns the stored result of an earlier request by the same caller")
  @ApiResponse(
      responseCode = "200",
      description = "Signed",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = SignResponse.class)))
  @ApiResponse(
      responseCode = "202",
      description = "Still being processed",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = InProgress.class)))
  @GetMapping(path = "/sign/{requestId}", produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Object> result(
      @Parameter(schema = @Schema(type = "string", format = "uuid", pattern = SignRequestBody.UUID))
          @PathVariable
          String requestId,
      HttpServletRequest http) {
    UUID id = SignRequestParser.uuid(requestId);
    SignRecord record = service.find(id, CurrentCaller.of(http));
    return record.outcome() == null || record.outcome() instanceof SignOutcome.Opened
        ? ResponseEntity.status(HttpStatus.ACCEPTED)
            .header("Retry-After", "1")
            .body(new InProgress(id, "received"))
        : render(http, record);
  }

  /** The answer while the outcome is open. */
  record InProgress(UUID requestId, String status) {}

  /**
   * Returns the answer to a request that has ended, with the stages on record.
   *
   * @throws ProblemException if it was not signed
   */
  public static ResponseEntity<Object> render(HttpServletRequest http, SignRecord record) {
    return render(http, record, ServerTiming.of(record.times()));
  }

  private static ResponseEntity<Object> render(
      HttpServletRequest http, SignRecord record, String serverTiming) {
    if (record.outcome() != null) {
      RefusalFilter.noteOnRecord(http);
    }
    return switch (record.outcome()) {
      case SignOutcome.Signed signed ->
          ResponseEntity.ok()
              .header("Server-Timing", serverTiming)
              .body(SignResponse.of(record, signed));
      case SignOutcome.Failed failed ->
          throw new ProblemException(
              ProblemType.of(failed.reason()),
              "request %s: %s"
                  .formatted(
                      record.requestId(),
                      Objects.requireNonNullElse(
                          failed.detail(), ProblemType.of(failed.reason()).title())));
      case SignOutcome.Expired expired when expired.issued() != null ->
          throw new ProblemException(
              ProblemType.ACT_EXPIRED,
              "act %s was not signed within its time to live; open a new one"
                  .formatted(record.requestId()));
      case SignOutcome.Cancelled cancelled ->
          throw new ProblemException(
              ProblemType.ACT_CANCELLED, "act %s was cancelled".formatted(record.requestId()));
      case SignOutcome.Opened opened -> throw SignService.inProgress();
      case SignOutcome.Expired expired ->
          throw new ProblemException(
              ProblemType.DEADLINE,
              "request %s waited past its deadline and was not signed; retry with a new id"
                  .formatted(record.requestId()));
      case null -> throw SignService.inProgress();
    };
  }
}
