package org.keywell.rest.ca;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.keywell.json.RevocationBody;
import org.keywell.json.RevocationOrder;
import org.keywell.json.RevocationResponse;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.revocation.RevocationAnswer;
import org.keywell.signing.revocation.Revocations;
import org.keywell.signing.sign.CallerReads;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /ca/revocations}. */
@Tag(name = "Certification authority")
@RestController
public final class RevocationController {

  private final Revocations revocations;
  private final CallerReads reads;

  /**
   * @param reads limits how many look for a certificate at once
   */
  public RevocationController(Revocations revocations, CallerReads reads) {
    this.revocations = revocations;
    this.reads = reads;
  }

  @Operation(operationId = "revoke", summary = "Revokes a certificate, which cannot be undone")
  @ApiResponse(responseCode = "200", description = "Revoked, by this request or an earlier one")
  @PostMapping(
      path = "/ca/revocations",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  public RevocationResponse revoke(@RequestBody RevocationBody body, HttpServletRequest http) {
    RevocationOrder order = RevocationOrder.of(body);
    Caller caller = CurrentCaller.of(http);
    RevocationAnswer answer =
        reads.read(caller, () -> Optional.of(revoke(caller, order))).orElseThrow();
    return switch (answer) {
      case RevocationAnswer.Revoked revoked ->
          RevocationResponse.of(revoked.revocation(), revoked.list());
      case RevocationAnswer.Unknown _ ->
          throw new ProblemException(
              ProblemType.CERTIFICATE_UNKNOWN,
              "no certificate that is still valid is on record for this id, serial number or commitment");
      case RevocationAnswer.NotRevocable(String why) ->
          throw new ProblemException(ProblemType.NOT_REVOCABLE, why);
    };
  }

  private RevocationAnswer revoke(Caller caller, RevocationOrder order) {
    return switch (order) {
      case RevocationOrder.OfRequest of -> revocations.revoke(caller, of.requestId(), of.reason());
      case RevocationOrder.OfSerial of -> revocations.revoke(caller, of.serial(), of.reason());
      case RevocationOrder.OfCommitment of ->
          revocations.revoke(caller, of.commitment(), of.reason());
      case RevocationOrder.OfCertificate of ->
          revocations.revoke(caller, of.certificate(), of.reason());
    };
  }
}
