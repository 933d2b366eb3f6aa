package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import org.keywell.cli.options.ProgressLine;
import org.keywell.client.KeywellClient;
import org.keywell.loadgen.cli.ServicePlan.Mode;
import org.keywell.loadgen.messages.Broker;
import org.keywell.loadgen.messages.FreshPlan;
import org.keywell.loadgen.messages.FreshResult;
import org.keywell.loadgen.messages.FreshRun;
import org.keywell.loadgen.messages.FreshRun.Source;
import org.keywell.loadgen.messages.KeyUse;
import org.keywell.loadgen.messages.MessagesSite;
import org.keywell.loadgen.messages.OneTimeSigners;
import org.keywell.loadgen.service.OwnService;
import org.keywell.loadgen.service.ServiceProgram;

/** The part of {@code load messages} that takes a fresh key for each message from a service. */
final class FreshKeys {
  /** Of the slowest keys for the most clients, generated one after the other. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private static final int WARM_UP = 10;
  private static final int MOST_WAITING = 500;

  private final FreshPlan plan;
  private final Interruption interruption;
  private final OwnServices services;
  private final PrintWriter out;

  FreshKeys(
      FreshPlan plan,
      ServiceProgram program,
      Interruption interruption,
      PrintWriter out,
      PrintWriter err) {
    this.plan = plan;
    this.interruption = interruption;
    this.services = new OwnServices(program, services(plan), interruption, out, err);
    this.out = out;
  }

  private static ServicePlan services(FreshPlan plan) {
    int keys = plan.messages() + WARM_UP + ServicePlan.SPARE_KEYS;
    return new ServicePlan(plan.keySpec(), keys, MOST_WAITING, DEADLINE, null);
  }

  /** Returns how long it takes to end if it is interrupted. */
  static Duration patience(FreshPlan plan) {
    return services(plan).patience();
  }

  /** Generates the missing keys; returns the exit code of the program that does so. */
  int fill() throws IOException, InterruptedException {
    return services.fill();
  }

  /** Measures, with one service after the other. */
  FreshResult measured(MessagesSite site, Broker broker) throws Exception {
    FreshRun run = new FreshRun(plan, site, broker);
    services.step("One kept key, and a fresh key from the pool for each message");
    measure(run, Mode.POOLED, List.of(KeyUse.KEPT, KeyUse.POOLED));
    services.step("A fresh key generated on the fly for each message");
    measure(run, Mode.ON_THE_FLY, List.of(KeyUse.ON_THE_FLY));
    return run.result();
  }

  private void measure(FreshRun run, Mode mode, List<KeyUse> uses) throws Exception {
    var _ =
        services.during(
            "messages-" + mode,
            mode,
            service -> {
              measure(run, service, uses);
              return run;
            });
  }

  private void measure(FreshRun run, OwnService service, List<KeyUse> uses)
      throws IOException, InterruptedException {
    RequestForm form = new RequestForm(plan.keySpec(), DEADLINE, "messages");
    try (KeywellClient client = service.client(form.timeout())) {
      WarmUp.run(client, form, WARM_UP, interruption);
      interruption.stops(Thread.currentThread()::interrupt);
      OneTimeSigners trusted = new OneTimeSigners(TrustedRoot.of(null, client));
      try (ProgressLine _ = ProgressLine.passing(out, run::progress)) {
        run.measure(uses, new Source(client, DEADLINE, trusted, service.pid()));
      }
    }
  }
}
