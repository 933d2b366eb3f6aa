package org.keywell.loadgen.report;

import java.util.List;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.OverloadResult;
import org.keywell.loadgen.overload.Prediction;
import org.keywell.loadgen.overload.ThesisRow;

/** Documents of overloads, with what a test needs to be different. */
final class Overloads {
  private Overloads() {}

  static OverloadResult test(int number, int signed, double latency) {
    boolean last = latency > 0;
    return new OverloadResult(
        number,
        40,
        75,
        3_000,
        signed,
        new Prediction(1_000, 40),
        990,
        989,
        last ? Double.valueOf(latency) : null,
        99,
        last ? Double.valueOf(100 - Math.abs(40 - latency) / 0.4) : null,
        List.of(new OverloadResult.Point(0, 1), new OverloadResult.Point(115, 0)));
  }

  static OverloadDocument of(double busy, boolean right, OverloadResult... tests) {
    return new OverloadDocument(
        OverloadDocument.FORMAT,
        "overload-1",
        "2026-01-02T03:04:05Z",
        tests.length < 2,
        "luna",
        new RunEnvironment("A CPU", 2, "A JDK", "An OS", 0.5, "abc", true),
        new PoolStatus("pooled", new PoolStatus.Queue(0, 3_000), List.of(), "luna"),
        List.of("KEYWELL_HSM_PROFILE=luna"),
        "RSA-2048",
        20,
        new BaseRate(400, 16, 368, 14.1, 26.03, busy),
        List.of(tests),
        right,
        List.of(new RequirementResult("accuracy>=98.6%", true, "98.700 %")),
        ThesisRow.all());
  }
}
