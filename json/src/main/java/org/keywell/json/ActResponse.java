package org.keywell.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.record.ActRecord;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SigningForm;

/** The JSON of an act. Byte arrays are base64. */
@Schema(name = "Act")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActResponse(
    UUID actId,
    @Schema(allowableValues = {"received", "open", "signed", "failed", "expired", "cancelled"})
        String status,
    @Schema(description = "the instance that holds its key, or held it") String instance,
    @Schema(description = "RFC 3339: when the key is destroyed unless it has signed")
        @Nullable Instant expires,
    int digestCount,
    String digestAlgorithm,
    String signatureAlgorithm,
    @Schema(description = "DER: signer's certificate first, root last; empty if not certified")
        List<byte[]> certificateChain,
    @Schema(description = "where the log has the end of the act; absent until a checkpoint has it")
        @Nullable Long logIndex) {

  public static ActResponse of(SignRecord record) {
    ActRecord act = Objects.requireNonNull(record.act());
    SignOutcome outcome = record.outcome();
    return new ActResponse(
        record.requestId(),
        status(outcome),
        act.instance(),
        act.expires(),
        digestCount(record),
        record.digestAlgorithm(),
        record.signatureAlgorithm(),
        outcome == null ? List.of() : chain(outcome.issued()),
        record.logIndex());
  }

  private static int digestCount(SignRecord record) {
    return record.form() instanceof SigningForm.InTwoCalls act ? act.digests() : 1;
  }

  private static String status(@Nullable SignOutcome outcome) {
    return switch (outcome) {
      case null -> "received";
      case SignOutcome.Opened opened -> "open";
      case SignOutcome.Signed signed -> "signed";
      case SignOutcome.Failed failed -> "failed";
      case SignOutcome.Expired expired -> "expired";
      case SignOutcome.Cancelled cancelled -> "cancelled";
    };
  }

  private static List<byte[]> chain(@Nullable IssuedCertificate issued) {
    return issued == null
        ? List.of()
        : Stream.concat(Stream.of(issued.certificate()), issued.chain().certificates().stream())
            .toList();
  }
}
