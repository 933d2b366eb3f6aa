package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.client.SignResponse;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/** How long one stage in the service took, in milliseconds, over the requests that tell of it. */
public record StageFigures(String stage, int requests, double mean, double p99, double max) {

  static List<StageFigures> of(List<Sample> samples) {
    List<StageFigures> all = new ArrayList<>();
    for (StageTime stage : StageTime.values()) {
      List<Long> nanos = new ArrayList<>();
      for (Sample sample : samples) {
        if (sample.outcome() instanceof Outcome.Signed(SignResponse response)) {
          stage.micros(response.timestamps()).ifPresent(micros -> nanos.add(micros * 1_000));
        }
      }
      Latency latency = Latency.of(nanos);
      if (latency != null) {
        all.add(
            new StageFigures(
                stage.label(), nanos.size(), latency.mean(), latency.p99(), latency.max()));
      }
    }
    return all;
  }
}
