package org.keywell.rest.act;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.InstantSource;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.json.ActRequestBody;
import org.keywell.json.ActRequestParser;
import org.keywell.json.ActResponse;
import org.keywell.json.DigestsBody;
import org.keywell.json.SignRequestBody;
import org.keywell.json.SignRequestParser;
import org.keywell.json.SignResponse;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.rest.security.RefusalFilter;
import org.keywell.rest.sign.SignController;
import org.keywell.signing.act.ActService;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code /acts}: acts of signing in two calls. */
@Tag(name = "Acts in two calls")
@RestController
public final class ActController {

  private final ActRequestParser parser;
  private final ActService service;
  private final InstantSource clock;
  private final LongSupplier nanoClock;

  public ActController(
      ActRequestParser parser, ActService service, InstantSource clock, LongSupplier nanoClock) {
    this.parser = parser;
    this.service = service;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  @Operation(
      operationId = "openAct",
      summary = "Certifies a key for digests that follow in a second call")
  @ApiResponse(
      responseCode = "201",
      description = "Open",
      headers =
          @Header(
              name = "Location",
              description = "the act's address",
              schema = @Schema(type = "string", format = "uri-reference")),
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = ActResponse.class)))
  @ApiResponse(
      responseCode = "200",
      description = "Opened by an earlier request; open or signed",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = ActResponse.class)))
  @PostMapping(
      path = "/acts",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Object> open(
      @RequestBody ActRequestBody body,
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
    SignRecord record = service.open(request, times);
    if (!(record.outcome() instanceof SignOutcome.Opened
        || record.outcome() instanceof SignOutcome.Signed)) {
      return SignController.render(http, record);
    }
    ActResponse act = ActResponse.of(record);
    // A repetition is not marked as accepted.
    return times.acceptedNanos().isPresent()
        ? ResponseEntity.created(URI.create("/acts/" + act.actId())).body(act)
        : ResponseEntity.ok().location(URI.create("/acts/" + act.actId())).body(act);
  }

  @Operation(operationId = "findAct", summary = "Returns an act of the same caller from the record")
  @ApiResponse(
      responseCode = "200",
      description = "The act, open or ended",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = ActResponse.class)))
  @GetMapping(path = "/acts/{actId}", produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Object> find(
      @Parameter(schema = @Schema(type = "string", format = "uuid", pattern = SignRequestBody.UUID))
          @PathVariable
          String actId,
      HttpServletRequest http) {
    return ResponseEntity.ok(ActResponse.of(service.find(id(actId), CurrentCaller.of(http))));
  }

  @Operation(
      operationId = "signAct",
      summary = "Signs an open act's digests with its key, then destroys the key")
  @ApiResponse(
      responseCode = "200",
      description = "Signed",
      content =
          @Content(
              mediaType = MediaType.APPLICATION_JSON_VALUE,
              schema = @Schema(implementation = SignResponse.class)))
  @PostMapping(
      path = "/acts/{actId}/sign",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  public ResponseEntity<Object> sign(
      @Parameter(schema = @Schema(type = "string", format = "uuid", pattern = SignRequestBody.UUID))
          @PathVariable
          String actId,
      @RequestBody DigestsBody body,
      HttpServletRequest http)
      throws InterruptedException {
    RequestTimes thisCall = new RequestTimes(clock, nanoClock);
    SignRecord record =
        service.sign(
            id(actId),
            (algorithm, stated) -> ActRequestParser.digests(body, algorithm, stated),
            CurrentCaller.of(http),
            thisCall);
    return SignController.render(http, record);
  }

  @Operation(operationId = "cancelAct", summary = "Cancels an open act and destroys its key")
  @ApiResponse(responseCode = "204", description = "Cancelled", content = @Content)
  @DeleteMapping(path = "/acts/{actId}")
  public ResponseEntity<Object> cancel(
      @Parameter(schema = @Schema(type = "string", format = "uuid", pattern = SignRequestBody.UUID))
          @PathVariable
          String actId,
      HttpServletRequest http)
      throws InterruptedException {
    SignRecord record = service.cancel(id(actId), CurrentCaller.of(http));
    return switch (record.outcome()) {
      case SignOutcome.Cancelled cancelled -> ResponseEntity.noContent().build();
      case SignOutcome.Signed signed ->
          throw new ProblemException(
              ProblemType.ACT_SIGNED, "act %s has already signed".formatted(record.requestId()));
      case null, default -> SignController.render(http, record);
    };
  }

  private static UUID id(String actId) {
    return SignRequestParser.uuid(actId, "actId");
  }
}
