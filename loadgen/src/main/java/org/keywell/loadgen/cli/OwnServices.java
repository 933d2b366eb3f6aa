package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.keywell.loadgen.cli.ServicePlan.Mode;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/** What an experiment prepares step by step: the keys that it takes, then its services. */
final class OwnServices {
  /** What a part of the experiment does with its service. */
  interface Use<T> {
    T with(OwnService service) throws Exception;
  }

  private final ServiceProgram program;
  private final ServicePlan plan;
  private final Interruption interruption;
  private final PrintWriter out;
  private final PrintWriter err;

  /** The launcher has taken the first step: it has set everything up. */
  private int steps = 1;

  OwnServices(
      ServiceProgram program,
      ServicePlan plan,
      Interruption interruption,
      PrintWriter out,
      PrintWriter err) {
    this.program = program;
    this.plan = plan;
    this.interruption = interruption;
    this.out = out;
    this.err = err;
  }

  /** Makes the keys that are missing; answers with the exit code of the program that does. */
  int fill() throws IOException, InterruptedException {
    step(
        "Keys: %d of the kind %s, stored at the HSM's own speed"
            .formatted(plan.keys(), plan.keySpec()));
    interruption.stops(Thread.currentThread()::interrupt);
    return program.fill(plan.keys(), plan.keySpec(), err);
  }

  /**
   * Has a service for as long as something is done with it. A key that is being loaded would hold
   * the HSM up meanwhile: all are loaded before.
   */
  <T> T during(String log, Mode mode, Use<T> use) throws Exception {
    interruption.stops(Thread.currentThread()::interrupt);
    try (OwnService service = start(log, mode)) {
      out.println("Service    %s (its log: %s)".formatted(service.url(), service.log()));
      try (ProgressLine _ = ProgressLine.passing(out, service::progress)) {
        service.awaitKeys(plan.keys(), plan.keySpec(), OwnService.Tier.LOADED, plan.loadsWithin());
      }
      try {
        return use.with(service);
      } catch (IOException e) {
        throw service.explain(e, "the experiment");
      }
    }
  }

  private OwnService start(String log, Mode mode) throws IOException, MisuseException {
    try {
      return program.start(log, plan.environment(mode), plan.patience(), err);
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  /** The settings of a service that have to do with its performance. */
  List<String> told(Mode mode) {
    Map<String, String> environment = program.with(plan.environment(mode));
    return ServicePlan.told(environment);
  }

  /**
   * Says what comes next.
   *
   * @throws IOException if a signal has ended the experiment
   */
  void step(String title) throws IOException {
    if (interruption.hasCome()) {
      throw new IOException("interrupted");
    }
    steps++;
    out.println("%n== %d. %s".formatted(steps, title));
  }
}
