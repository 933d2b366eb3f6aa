package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.drive.LiveFigures;
import org.keywell.loadgen.drive.NumberedContent;
import org.keywell.loadgen.drive.OpenLoopDriver;
import org.keywell.loadgen.drive.Pacer;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.drive.ServiceTarget;
import org.keywell.loadgen.report.DriverSettings;
import org.keywell.loadgen.report.NullTrial;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.Requirement;
import org.keywell.loadgen.report.RequirementResult;
import org.keywell.loadgen.report.RunDocument;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.report.RunFigures;
import org.keywell.loadgen.report.RunSummary;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;
import org.keywell.loadgen.verify.Verifier;
import org.keywell.loadgen.watch.PoolWatch;
import org.keywell.loadgen.watch.Progress;

/** One run from the first look at the service to the report. */
final class LoadRun {
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final Duration POOL_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration POOL_INTERVAL = Duration.ofSeconds(1);
  private static final DateTimeFormatter FOLDER_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** The null server shares the processor with the driver: it is not driven to exhaustion. */
  private static final double HIGHEST_TRIAL_PER_SECOND = 1_000;

  private record Driven(List<Sample> samples, PoolWatch pool, boolean interrupted) {}

  private final String command;
  private final Schedule schedule;
  private final ServerOptions server;
  private final LoadOptions options;
  private final PrintWriter out;

  LoadRun(
      String command,
      Schedule schedule,
      ServerOptions server,
      LoadOptions options,
      PrintWriter out) {
    this.command = command;
    this.schedule = schedule;
    this.server = server;
    this.options = options;
    this.out = out;
  }

  /** Makes the run and its report; answers with the program's exit code. */
  int call() throws IOException, InterruptedException, MisuseException, GeneralSecurityException {
    List<Requirement> requirements = options.checked();
    try (KeywellClient signing = server.client(options.timeout());
        KeywellClient asking = server.client(POOL_TIMEOUT)) {
      PoolStatus before = firstLook(asking);
      X509Certificate root = TrustedRoot.of(options.root(), asking);
      ReportFolder folder = ReportFolder.create(options.out(defaultFolder()));
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      DriverSettings.NullRate selfTest = selfTest();
      NumberedContent content = new NumberedContent(new SecureRandom().nextLong());
      announce();
      LiveFigures live = new LiveFigures();
      OpenLoopDriver driver =
          new OpenLoopDriver(
              new ServiceTarget(
                  signing, content, options.keySpec(), (long) options.deadlineMillis()),
              Pacer.onSystemClock(),
              options.inFlight(),
              GRACE,
              live);
      try (Interruption _ = new Interruption(driver::stop)) {
        Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Driven driven = drive(driver, live, asking);
        tell("Checking the answers (" + options.verify() + ") ...");
        Verification verification =
            new Verifier(options.verify(), content, root).verify(driven.samples());
        RunFigures figures = RunFigures.of(schedule, driven.samples());
        List<RequirementResult> results =
            requirements.stream().map(r -> r.check(figures.totals())).toList();
        RunDocument run =
            document(
                startedAt,
                environment,
                before,
                settings(content, figures, selfTest),
                figures,
                driven,
                verification,
                results);
        folder.write(run, schedule, driven.samples());
        out.print(RunSummary.of(run));
        tell("report          " + folder.reportFile());
        return exitCode(run);
      }
    }
  }

  private PoolStatus firstLook(KeywellClient client) throws IOException, InterruptedException {
    try {
      return client.pool();
    } catch (ConnectException e) {
      throw new IOException(
          "no service answers at " + server.url() + "; start one: ./keywell up", e);
    }
  }

  private String defaultFolder() {
    return FOLDER_TIME.format(LocalDateTime.now(ZoneId.systemDefault())) + "-" + command;
  }

  private DriverSettings.NullRate selfTest() throws IOException, InterruptedException {
    double wanted = Math.clamp(2 * schedule.highestPerSecond(), 200, HIGHEST_TRIAL_PER_SECOND);
    try (NullTrial trial = NullTrial.start()) {
      trial.drive(wanted / 2, 1); // Warms up; what it tells is of a cold driver.
      return trial.drive(wanted, 1);
    }
  }

  private void announce() {
    tell(
        "%s: %,d requests in %.0f s, up to %.1f per second, to %s"
            .formatted(
                schedule.name(),
                schedule.requests(),
                schedule.durationNanos() / 1e9,
                schedule.highestPerSecond(),
                server.url()));
  }

  private Driven drive(OpenLoopDriver driver, LiveFigures live, KeywellClient asking)
      throws InterruptedException {
    Thread.Builder builder = Thread.ofVirtual().name("progress");
    try (PoolWatch pool =
        new PoolWatch(asking, options.keySpec(), driver::elapsedNanos, POOL_INTERVAL)) {
      Progress progress = new Progress(out, Terminal.isPresent(), schedule, live, pool);
      Thread showing = builder.start(() -> keepShowing(progress, driver));
      try {
        List<Sample> samples = driver.run(schedule);
        return new Driven(samples, pool, samples.size() < schedule.requests());
      } finally {
        showing.interrupt();
        showing.join();
        progress.end();
      }
    }
  }

  private static void keepShowing(Progress progress, OpenLoopDriver driver) {
    try {
      while (true) {
        Thread.sleep(progress.interval());
        progress.show(driver.elapsedNanos());
      }
    } catch (InterruptedException e) {
      // The run has ended.
    }
  }

  private DriverSettings settings(
      NumberedContent content, RunFigures figures, DriverSettings.NullRate selfTest) {
    return new DriverSettings(
        server.url(),
        options.keySpec(),
        options.deadlineMillis(),
        options.timeout().toMillis(),
        options.inFlight(),
        content.seed(),
        figures.sendLateness(),
        selfTest);
  }

  private RunDocument document(
      Instant startedAt,
      RunEnvironment environment,
      PoolStatus before,
      DriverSettings settings,
      RunFigures figures,
      Driven driven,
      Verification verification,
      List<RequirementResult> results) {
    return new RunDocument(
        RunDocument.FORMAT,
        command,
        schedule.name(),
        schedule.timeScale(),
        schedule.requests(),
        startedAt.toString(),
        figures.durationSeconds(),
        driven.interrupted(),
        before.simulatedProfile(),
        environment,
        settings,
        before,
        figures.totals(),
        figures.steps(),
        figures.stages(),
        figures.rates(),
        driven.pool().points(),
        driven.pool().missed(),
        verification,
        results);
  }

  /** A wrong signature is worse than any requirement that is not met. */
  private static int exitCode(RunDocument run) {
    if (!run.verification().isClean()) {
      return ExitCodes.FAILED;
    }
    return run.requirements().stream().allMatch(RequirementResult::met)
        ? ExitCodes.DONE
        : ExitCodes.REQUIREMENT_NOT_MET;
  }

  private void tell(String line) {
    out.println(line);
    out.flush();
  }
}
