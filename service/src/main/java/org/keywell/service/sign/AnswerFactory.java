package org.keywell.service.sign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.keywell.service.record.CaChain;
import org.keywell.service.record.SignRecord;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.RequestTimes.Stage;
import org.keywell.service.request.SignOutcome;

/** Makes the record of a request that was just written, without reading it back. */
public final class AnswerFactory {

  private final CaChain caChain;

  public AnswerFactory(CaChain caChain) {
    this.caChain = caChain;
  }

  SignRecord record(PendingRequest pending, SignOutcome outcome) {
    Map<Stage, Instant> times = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      pending.times().at(stage).ifPresent(time -> times.put(stage, time));
    }
    return new SignRecord(
        pending.request().requestId(),
        pending.request().fingerprint(),
        pending.request().caller(),
        times,
        state(pending, outcome));
  }

  private SignRecord.State state(PendingRequest pending, SignOutcome outcome) {
    return switch (outcome) {
      case SignOutcome.Expired expired -> new SignRecord.State.Expired();
      case SignOutcome.Failed failed ->
          new SignRecord.State.Failed(failed.reason(), failed.detail());
      case SignOutcome.Signed signed -> signed(pending, signed);
    };
  }

  private SignRecord.State signed(PendingRequest pending, SignOutcome.Signed signed) {
    List<byte[]> chain = new ArrayList<>();
    chain.add(signed.certificate());
    chain.addAll(caChain.certificates());
    RequestTimes times = pending.times();
    return new SignRecord.State.Signed(
        pending.request().scheme().label(),
        signed.signature(),
        chain,
        signed.keyUse().preGenerated(),
        times.waiting().orElseThrow().toNanos() / 1000,
        times.processing().orElseThrow().toNanos() / 1000);
  }
}
