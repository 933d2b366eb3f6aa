package org.keywell.bench.modes;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The cost of the certificate before the signature: each form compared with the bare one. */
public final class FormComparison implements Comparison {

  private final ClosedLoop loop;
  private final Map<Form, List<ClosedRun>> runs = new EnumMap<>(Form.class);

  public FormComparison(ClosedLoop loop) {
    this.loop = loop;
  }

  private List<ClosedRun> of(Form form) {
    return runs.computeIfAbsent(form, _ -> new ArrayList<>());
  }

  @Override
  public void warmUp(int requests) throws IOException, InterruptedException {
    for (Form form : Form.values()) {
      var _ = loop.run(form, requests);
    }
  }

  @Override
  public void run(int rounds, int requests) throws IOException, InterruptedException {
    List<Form> order = new ArrayList<>(List.of(Form.values()));
    for (int round = 0; round < rounds; round++) {
      for (Form form : order) {
        of(form).add(loop.run(form, requests));
      }
      Collections.rotate(order, 1);
    }
  }

  @Override
  public void print(PrintWriter out) {
    out.println("                    acts/s   mean ms    p50 ms    p99 ms");
    runs.forEach((form, ofForm) -> {
      ClosedRun all = ClosedRun.together(ofForm);
      out.println(
          String.format(
              Locale.ROOT,
              "  %-15s %8.1f %9.2f %9.2f %9.2f",
              form.label(),
              all.perSecond(),
              all.meanMillis(),
              all.percentileMillis(50),
              all.percentileMillis(99)));
    });
    out.println("  to bare, over all rounds (single rounds):");
    List<ClosedRun> bare = of(Form.BARE);
    runs.forEach((form, ofForm) -> {
      if (form != Form.BARE) {
        ratio(out, form, "throughput", Ratios.of(ofForm, bare, ClosedRun::perSecond));
        ratio(out, form, "mean latency", Ratios.of(ofForm, bare, ClosedRun::meanMillis));
        ratio(out, form, "p99", Ratios.of(ofForm, bare, run -> run.percentileMillis(99)));
      }
    });
    out.flush();
  }

  private static void ratio(PrintWriter out, Form form, String figure, Ratios ratios) {
    out.println(
        String.format(
            Locale.ROOT,
            "  %-15s %-12s %s, median %.3f",
            form.label(),
            figure,
            ratios,
            ratios.median()));
  }
}
