package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.drive.ClosedLoopDriver;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.OverloadResult;
import org.keywell.loadgen.overload.Prediction;
import org.keywell.loadgen.overload.ThesisRow;
import org.keywell.loadgen.report.OverloadDocument;
import org.keywell.loadgen.report.OverloadRequirement;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.report.Summary;
import org.keywell.loadgen.schedule.Schedule;

/** Measures the base rate, then predicts and performs one test after the other. */
final class OverloadRun {
  private static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);

  /** The queue's peak is short, and the service reports it only when it is asked. */
  private static final Duration POOL_INTERVAL = Duration.ofMillis(200);

  private record Tests(List<OverloadResult> all, boolean allSignaturesRight) {}

  private final ServerOptions server;
  private final LoadOptions options;
  private final OverloadOptions tests;
  private final RequestForm requests;
  private final List<String> serviceSettings;
  private final Interruption interruption;
  private final PrintWriter out;

  OverloadRun(
      ServerOptions server,
      LoadOptions options,
      OverloadOptions tests,
      RequestForm requests,
      List<String> serviceSettings,
      Interruption interruption,
      PrintWriter out) {
    this.server = server;
    this.options = options;
    this.tests = tests;
    this.requests = requests;
    this.serviceSettings = serviceSettings;
    this.interruption = interruption;
    this.out = out;
  }

  /** Performs the tests and writes the report; returns the program's exit code. */
  int call(int warmUp, List<OverloadRequirement> requirements, Path path)
      throws IOException, InterruptedException, GeneralSecurityException, MisuseException {
    List<OverloadOptions.Planned> planned = tests.planned();
    try (KeywellClient signing = server.client(requests.timeout());
        KeywellClient asking = server.client(POOL_TIMEOUT)) {
      PoolStatus before = LoadRun.lookAt(asking, server);
      ReportFolder folder = ReportFolder.create(path);
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      WarmUp.run(signing, requests, warmUp, interruption);
      BaseRate base = baseRate(signing);
      out.println(Summary.baseRate(base));
      Tests made = make(planned, base, path);
      OverloadDocument document =
          new OverloadDocument(
              OverloadDocument.FORMAT,
              requests.testId(),
              startedAt.toString(),
              made.all().size() < planned.size(),
              before.simulatedProfile(),
              environment,
              before,
              serviceSettings,
              requests.keySpec(),
              warmUp,
              base,
              made.all(),
              made.allSignaturesRight(),
              requirements.stream().map(r -> r.check(made.all())).toList(),
              ThesisRow.all());
      folder.write(document);
      out.print(Summary.of(document));
      out.println("report    " + folder.reportFile());
      boolean signed = made.all().stream().allMatch(test -> test.signed() > 0);
      return ExitCodes.of(signed && document.allSignaturesRight(), document.requirements());
    }
  }

  private BaseRate baseRate(KeywellClient client) throws IOException, InterruptedException {
    out.println(
        String.format(
            Locale.ROOT,
            "Measuring the base rate: %,d requests, %,d at a time ...",
            tests.baseRequests(),
            tests.baseCallers()));
    NumberedContent content = new NumberedContent(new SecureRandom().nextLong());
    ClosedLoopDriver loop =
        new ClosedLoopDriver(requests.part("base-rate").to(client, content), System::nanoTime);
    interruption.stops(loop::stop);
    List<Sample> samples = loop.run(tests.baseRequests(), tests.baseCallers());
    return BaseRate.of(samples, tests.baseCallers())
        .orElseThrow(() ->
            new IOException(
                "the base rate is not known: only %d of %d requests were signed"
                    .formatted(samples.stream().filter(Sample::isSigned).count(), samples.size())));
  }

  private Tests make(List<OverloadOptions.Planned> planned, BaseRate base, Path path)
      throws IOException, InterruptedException, GeneralSecurityException {
    List<Double> rates = tests.perSecond(planned, base.perSecond());
    LoadRun run = new LoadRun(server, options, out);
    List<OverloadResult> all = new ArrayList<>();
    boolean right = true;
    for (int i = 0; i < planned.size() && !interruption.hasCome(); i++) {
      int number = i + 1;
      Schedule schedule =
          Schedule.constant(
              "Overload, test " + number, rates.get(i), planned.get(i).requests() / rates.get(i));
      Prediction predicted =
          Prediction.of(
              base, schedule.highestPerSecond(), Duration.ofNanos(schedule.durationNanos()));
      out.println(
          Summary.prediction(
              number, schedule.highestPerSecond(), schedule.durationNanos() / 1e9, predicted));
      LoadRun.Made made = run.make(plan(number, schedule, path), interruption);
      right &= made.document().verification().isClean();
      if (!made.document().interrupted()) {
        all.add(
            OverloadResult.of(number, predicted, schedule, made.samples(), made.document().pool()));
      }
    }
    return new Tests(all, right);
  }

  private RunPlan plan(int number, Schedule schedule, Path path) {
    String name = "test-" + number;
    return new RunPlan(
        "overload, test " + number,
        schedule,
        requests.part(name),
        0,
        POOL_INTERVAL,
        serviceSettings,
        List.of(),
        path.resolve(name));
  }
}
