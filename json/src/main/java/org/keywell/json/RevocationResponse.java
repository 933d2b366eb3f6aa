package org.keywell.json;

import io.swagger.v3.oas.annotations.media.Schema;
import java.net.URI;
import java.time.Instant;
import org.keywell.ca.revocation.Revocation;

/** The JSON answer for a certificate that is revoked. */
@Schema(name = "RevocationResponse")
public record RevocationResponse(
    @Schema(description = "in hexadecimal digits") String serial,
    @Schema(description = "in whole seconds, as in the list") Instant revokedAt,
    @Schema(description = "as first given: a revocation is never changed") String reason,
    @Schema(description = "the address of its list, which has it within seconds") URI list) {

  public static RevocationResponse of(Revocation revocation, URI list) {
    return new RevocationResponse(
        revocation.serial().toString(16), revocation.at(), revocation.reason().label(), list);
  }
}
