package org.keywell.loadgen.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.messages.Broker;
import org.keywell.loadgen.messages.FreshPlan;
import org.keywell.loadgen.messages.FreshResult;
import org.keywell.loadgen.messages.MessageRow;
import org.keywell.loadgen.messages.MessagesDocument;
import org.keywell.loadgen.messages.MessagesPlan;
import org.keywell.loadgen.messages.MessagesReport;
import org.keywell.loadgen.messages.MessagesRun;
import org.keywell.loadgen.messages.MessagesSite;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunEnvironment;
import org.keywell.loadgen.service.FreePorts;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.loadgen.tls.OpenSsl;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures what protecting messages costs over a broker. */
@Command(
    name = "messages",
    description = {
      "Measures round trips over a broker: clients send a request of 2 KB and wait for its answer,"
          + " over one queue, over ten, and over a queue for each client. Messages are signed,"
          + " encrypted, both or neither, or go to the broker over TLS, in turn.",
      "It starts and stops the broker (ActiveMQ Artemis) itself, on this machine alone; the broker's"
          + " data is in the data directory, and is removed. With --fresh it also starts and stops"
          + " services, whose unused keys stay there."
    },
    sortOptions = false)
final class MessagesCommand implements Callable<Integer> {
  private static final Duration ENDS_WITHIN = Duration.ofMinutes(1);
  private static final int BROKER_PORT = 61616;

  static {
    // Netty's use of it has Java warn on standard error.
    System.setProperty("io.netty.noUnsafe", "true");
    // Each connection would be told of.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
  }

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Mixin private final MessagesOptions options = new MessagesOptions();

  @Mixin private final FreshOptions freshOptions = new FreshOptions();

  private final Supplier<ServiceProgram> program;

  /**
   * Creates the command.
   *
   * @param program the service; throws {@link IllegalArgumentException} if there is none; asked for
   *     only with {@code --fresh}
   */
  MessagesCommand(Supplier<ServiceProgram> program) {
    this.program = program;
  }

  private record Measured(List<MessageRow> rows, @Nullable FreshResult fresh) {}

  @Override
  public Integer call() throws Exception {
    MessagesPlan plan = options.plan();
    FreshPlan fresh = freshOptions.plan(plan);
    Path out = options.out(RunName.now("messages"));
    ReportFolder.requireEmptyOrMissing(out);
    Path logs = Files.createDirectories(options.data().resolve("logs")).toAbsolutePath();
    try (Interruption interruption =
        Interruption.of(fresh == null ? ENDS_WITHIN : FreshKeys.patience(fresh))) {
      interruption.stops(Thread.currentThread()::interrupt);
      FreshKeys keys = fresh == null ? null : freshKeys(fresh, interruption);
      int filled = keys == null ? ExitCodes.DONE : keys.fill();
      if (filled != ExitCodes.DONE) {
        return filled;
      }
      OpenSsl openSsl = OpenSsl.find("openssl");
      RunEnvironment environment = RunEnvironment.here(System.getenv());
      Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      long began = System.nanoTime();
      Measured measured;
      try (MessagesSite site = MessagesSite.create(logs, openSsl)) {
        measured = measured(plan, keys, site, logs);
      } catch (IOException e) {
        // Ctrl-C reaches the broker, too.
        throw interruption.hasCome() ? new IOException("interrupted", e) : e;
      }
      double seconds = (System.nanoTime() - began) / 1e9;
      write(
          new MessagesDocument(
              startedAt.toString(),
              seconds,
              environment,
              Broker.version(),
              plan,
              measured.rows,
              measured.fresh),
          out);
      return ExitCodes.DONE;
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private FreshKeys freshKeys(FreshPlan plan, Interruption interruption) throws MisuseException {
    ServiceProgram service = OwnServiceOptions.program(program);
    // No figure says whether a device is imitated.
    service.requireUnset("KEYWELL_HSM_PROFILE");
    return new FreshKeys(
        plan, service, interruption, spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  private Measured measured(
      MessagesPlan plan, @Nullable FreshKeys keys, MessagesSite site, Path logs) throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    int port = FreePorts.from(BROKER_PORT);
    try (Broker broker =
        Broker.start(BrokerCommand.program(), site, logs, port, spec.commandLine().getErr())) {
      out.println("Broker     127.0.0.1:%d, %s".formatted(port, Broker.version()));
      out.println("Time       at least %d min".formatted(minutes(plan.time())));
      MessagesRun run = new MessagesRun(plan, site, broker);
      List<MessageRow> rows;
      try (ProgressLine _ = ProgressLine.passing(out, run::progress)) {
        rows = run.call();
      }
      return new Measured(rows, keys == null ? null : keys.measured(site, broker));
    }
  }

  private static long minutes(Duration time) {
    return Math.max(1, Math.round(time.toSeconds() / 60.0));
  }

  private void write(MessagesDocument document, Path path) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ReportFolder folder = ReportFolder.create(path);
    MessagesReport report = new MessagesReport(document);
    Files.writeString(path.resolve("messages.csv"), document.csv());
    if (document.fresh() != null) {
      Files.writeString(path.resolve("fresh.csv"), document.fresh().csv());
    }
    folder.write(report.page(), "report.html", "messages.json", document);
    out.println();
    out.print(report.text());
    out.println("report     " + folder.reportFile());
  }
}
