package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ProgressLine;
import org.keywell.cli.options.ServerOptions;
import org.keywell.client.KeywellClient;
import org.keywell.client.NoAnswerException;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.OpenLoopDriver;
import org.keywell.loadgen.drive.Pacer;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.report.DriverSettings;
import org.keywell.loadgen.report.NullTrial;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunDocument;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.report.RunFigures;
import org.keywell.loadgen.report.Summary;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;
import org.keywell.loadgen.verify.Verifier;
import org.keywell.loadgen.watch.PoolWatch;
import org.keywell.loadgen.watch.Progress;

/** Performs runs, each from the first look at the service to the report. */
final class LoadRun {
  static final Duration POOL_INTERVAL = Duration.ofSeconds(1);

  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);

  /** The null server shares the processor with the driver, so it is not driven to exhaustion. */
  private static final double HIGHEST_TRIAL_PER_SECOND = 1_000;

  /** A run with its report written. */
  record Made(RunDocument document, List<Sample> samples) {

    int exitCode() {
      return ExitCodes.of(
          document.signedSome() && document.verification().isClean(), document.requirements());
    }
  }

  private record Driven(
      Instant startedAt, List<Sample> samples, PoolWatch pool, boolean interrupted) {}

  private final ServerOptions server;
  private final LoadOptions options;
  private final PrintWriter out;

  LoadRun(ServerOptions server, LoadOptions options, PrintWriter out) {
    this.server = server;
    this.options = options;
    this.out = out;
  }

  /** Performs a run and writes its report. */
  Made make(RunPlan plan, Interruption interruption)
      throws IOException, InterruptedException, GeneralSecurityException {
    try (KeywellClient signing = server.client(plan.requests().timeout());
        KeywellClient asking = server.client(POOL_TIMEOUT)) {
      lookAt(asking, server);
      X509Certificate root = TrustedRoot.of(options.root(), asking);
      ReportFolder folder = ReportFolder.create(plan.folder());
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      DriverSettings.NullRate selfTest = selfTest(plan.schedule());
      WarmUp.run(signing, plan.requests(), plan.warmUp(), interruption);
      if (interruption.hasCome()) {
        throw new IOException("interrupted before the first request");
      }
      PoolStatus before = asking.pool();
      NumberedContent content = new NumberedContent(new SecureRandom().nextLong());
      announce(plan.schedule());
      Driven driven = drive(plan, content, signing, asking, interruption);
      out.println("Checking the answers (" + options.verify() + ") ...");
      Verification verification =
          new Verifier(options.verify(), content, root).verify(driven.samples());
      RunFigures figures = RunFigures.of(plan.schedule(), driven.samples());
      DriverSettings settings = settings(plan, content, figures, selfTest);
      RunDocument run =
          document(plan, environment, before, settings, figures, driven, verification);
      folder.write(run, plan.schedule(), driven.samples());
      out.print(Summary.of(run));
      out.println("report          " + folder.reportFile());
      return new Made(run, driven.samples());
    }
  }

  /** Returns the service's pool status, before a run. */
  PoolStatus lookAtService() throws IOException, InterruptedException {
    try (KeywellClient asking = server.client(POOL_TIMEOUT)) {
      return lookAt(asking, server);
    }
  }

  /**
   * Returns the service's pool status.
   *
   * @throws IOException if it does not answer; the message says what to do
   */
  static PoolStatus lookAt(KeywellClient client, ServerOptions server)
      throws IOException, InterruptedException {
    try {
      return client.pool();
    } catch (NoAnswerException e) {
      if (e.getCause() instanceof ConnectException) {
        throw new IOException(
            "no service answers at " + server.url() + "; start one: ./keywell up", e);
      }
      throw e;
    }
  }

  private static DriverSettings.NullRate selfTest(Schedule schedule)
      throws IOException, InterruptedException {
    double wanted = Math.clamp(2 * schedule.highestPerSecond(), 200, HIGHEST_TRIAL_PER_SECOND);
    double seconds = Math.min(1, schedule.durationNanos() / 1e9);
    try (NullTrial trial = NullTrial.start()) {
      trial.drive(wanted / 2, seconds); // Warms up; the result is that of a cold driver.
      return trial.drive(wanted, seconds);
    }
  }

  private void announce(Schedule schedule) {
    out.println(
        "%s: %,d requests in %.0f s, up to %.1f per second, to %s"
            .formatted(
                schedule.name(),
                schedule.requests(),
                schedule.durationNanos() / 1e9,
                schedule.highestPerSecond(),
                server.url()));
  }

  private Driven drive(
      RunPlan plan,
      NumberedContent content,
      KeywellClient signing,
      KeywellClient asking,
      Interruption interruption)
      throws InterruptedException {
    LiveFigures live = new LiveFigures();
    OpenLoopDriver driver =
        new OpenLoopDriver(
            plan.requests().to(signing, content),
            Pacer.onSystemClock(),
            options.inFlight(),
            GRACE,
            live);
    interruption.stops(driver::stop);
    Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    try (PoolWatch pool =
        new PoolWatch(asking, options.keySpec(), driver::elapsedNanos, plan.poolInterval())) {
      Progress progress = new Progress(plan.schedule(), live, pool);
      try (ProgressLine _ = ProgressLine.lasting(out, () -> progress.line(driver.elapsedNanos()))) {
        List<Sample> samples = driver.run(plan.schedule());
        return new Driven(startedAt, samples, pool, interruption.hasCome());
      }
    }
  }

  private DriverSettings settings(
      RunPlan plan,
      NumberedContent content,
      RunFigures figures,
      DriverSettings.@Nullable NullRate selfTest) {
    return new DriverSettings(
        server.url(),
        plan.requests().keySpec(),
        plan.requests().deadline().toMillis(),
        plan.requests().timeout().toMillis(),
        options.inFlight(),
        content.seed(),
        plan.warmUp(),
        figures.sendLateness(),
        selfTest);
  }

  private static RunDocument document(
      RunPlan plan,
      RunEnvironment environment,
      PoolStatus before,
      DriverSettings settings,
      RunFigures figures,
      Driven driven,
      Verification verification) {
    return new RunDocument(
        RunDocument.FORMAT,
        plan.command(),
        plan.requests().testId(),
        plan.schedule().name(),
        plan.schedule().timeScale(),
        plan.schedule().requests(),
        driven.startedAt().toString(),
        figures.durationSeconds(),
        driven.interrupted(),
        before.simulatedProfile(),
        environment,
        settings,
        before,
        plan.serviceSettings(),
        figures.totals(),
        figures.steps(),
        figures.stages(),
        figures.peak(),
        figures.rates(),
        driven.pool().points(),
        driven.pool().missed(),
        verification,
        plan.requirements().stream().map(r -> r.check(figures.totals())).toList());
  }
}
