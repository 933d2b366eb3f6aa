package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.cli.ServicePlan.Mode;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/** Prepares an experiment step by step: the keys that it takes, then its services. */
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

  /** The launcher has taken the first step: the setup. */
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

  /** Generates the missing keys; returns the exit code of the program that does so. */
  int fill() throws IOException, InterruptedException {
    step(
        "Keys: %d of the kind %s, stored at the HSM's own speed"
            .formatted(plan.keys(), plan.keySpec()));
    interruption.stops(Thread.currentThread()::interrupt);
    return program.fill(plan.keys(), plan.keySpec(), err);
  }

  /**
   * Runs a service while something is done with it. All keys are loaded before, since loading would
   * hold up the HSM meanwhile.
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

  /** Returns a service's settings that affect its performance. */
  List<String> told(Mode mode) {
    Map<String, String> environment = program.with(plan.environment(mode));
    return ServicePlan.told(environment);
  }

  /**
   * Announces the next step.
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
