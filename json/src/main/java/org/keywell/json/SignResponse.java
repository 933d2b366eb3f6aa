package org.keywell.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.Containers;

/** The JSON answer to a request that was signed. Byte arrays are base64. */
@Schema(name = "SignResponse")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SignResponse(
    UUID requestId,
    @Schema(description = "the first of signatures") byte[] signature,
    @Schema(description = "one per digest, in the same order") List<byte[]> signatures,
    @Schema(
            description =
                "only if a container was requested: each signature as CMS SignedData (RFC 5652) in"
                    + " DER, without the document")
        @Nullable List<byte[]> containers,
    String signatureAlgorithm,
    @Schema(description = "DER: signer's certificate first, root last")
        List<byte[]> certificateChain,
    @Schema(description = "false: the key was generated for this request")
        boolean preGeneratedKeyPair,
    Timestamps timestamps,
    @Schema(description = "from receipt to the start of processing") long waitingTimeMicros,
    @Schema(description = "from the start of processing to the end") long processTimeMicros,
    @Schema(
            description =
                "where the log has the end of the request; absent until a checkpoint has it, so in"
                    + " each first answer")
        @Nullable Long logIndex) {

  /** RFC 3339, in microseconds. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Timestamps(
      @Nullable Instant requestReceived,
      @Nullable Instant requestStartToProcess,
      @Nullable Instant requestGotKeyPair,
      @Nullable Instant signed,
      @Nullable Instant certified,
      @Nullable Instant keyDestroyed,
      @Nullable Instant requestFinished,
      @Schema(description = "if keyDestroyed is missing: when the key was known to be gone")
          @Nullable Instant keyDestroyedLater) {

    public static Timestamps of(Map<Stage, Instant> times, @Nullable Instant keyGoneLater) {
      return new Timestamps(
          times.get(Stage.REQUEST_RECEIVED),
          times.get(Stage.REQUEST_START_TO_PROCESS),
          times.get(Stage.REQUEST_GOT_KEY_PAIR),
          times.get(Stage.SIGNED),
          times.get(Stage.CERTIFIED),
          times.get(Stage.KEY_DESTROYED),
          times.get(Stage.REQUEST_FINISHED),
          keyGoneLater);
    }
  }

  public static SignResponse of(SignRecord record, SignOutcome.Signed signed) {
    Map<Stage, Instant> times = record.times();
    return new SignResponse(
        record.requestId(),
        signed.signatures().getFirst(),
        signed.signatures(),
        Containers.of(record, signed),
        record.signatureAlgorithm(),
        Stream.concat(
                Stream.of(signed.issued().certificate()),
                signed.issued().chain().certificates().stream())
            .toList(),
        signed.keyUse().preGenerated(),
        Timestamps.of(times, record.keyGoneLater()),
        micros(times, Stage.REQUEST_RECEIVED, Stage.REQUEST_START_TO_PROCESS),
        micros(times, Stage.REQUEST_START_TO_PROCESS, Stage.REQUEST_FINISHED),
        record.logIndex());
  }

  private static long micros(Map<Stage, Instant> times, Stage from, Stage to) {
    return ChronoUnit.MICROS.between(times.get(from), times.get(to));
  }
}
