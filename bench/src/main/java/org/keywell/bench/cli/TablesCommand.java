package org.keywell.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.report.ResultFolder;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.bench.tables.Counts;
import org.keywell.bench.tables.Tables;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.measure.DeviceChoice;
import org.keywell.bench.tables.measure.SimulatedDevice;
import org.keywell.bench.tables.report.TablesDocument;
import org.keywell.bench.tables.report.TablesReport;
import org.keywell.cli.options.ProgressLine;
import org.keywell.loadgen.cli.ExitCodes;
import org.keywell.loadgen.cli.Interruption;
import org.keywell.loadgen.cli.MisuseException;
import org.keywell.loadgen.cli.RunName;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the thesis's tables. */
@Command(
    name = "tables",
    description = {
      "Measures Tables 2-4 to 2-11 of the thesis with the pool's own parts: an HSM, a scratch"
          + " database, a throw-away CA. No service is needed, and none is touched.",
      "The HSM is that of KEYWELL_HSM_MODULE; every key that is made in it is destroyed."
    },
    sortOptions = false)
final class TablesCommand implements Callable<Integer> {
  private static final String DEFAULT_PROFILE = "luna-sa-1700";

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Option(
      names = "--only",
      paramLabel = "LIST",
      split = ",",
      description = "The tables to measure, such as 2-4,2-10; default: all.")
  private List<String> only = new ArrayList<>();

  @Option(
      names = "--profile",
      paramLabel = "NAME|none|both",
      defaultValue = "both",
      description =
          "The device to measure: none, the HSM as it is; a profile's name or .yaml file, the HSM"
              + " slowed to that device; both, as it is and slowed to "
              + DEFAULT_PROFILE
              + "; default: ${DEFAULT-VALUE}.")
  private String profile = "both";

  @Option(
      names = "--lanes",
      paramLabel = "N",
      defaultValue = "6",
      description =
          "Measure Table 2-10 also on a simulated device that works on N requests at the same time,"
              + " 1 to 64; 1: do not; default: ${DEFAULT-VALUE}.")
  private int lanes = 6;

  @Option(
      names = "--scale",
      paramLabel = "F",
      description =
          "F times the default number of keys and requests, 0.01 to 100; default: 1, which takes"
              + " some minutes.")
  private @Nullable Double scale;

  @Option(
      names = "--thesis-counts",
      description = "As many keys and requests as in the thesis: hours.")
  private boolean thesisCounts;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description =
          "Where the scratch database lives for the time of the run, on the disk that is to be"
              + " measured; default: the system's temporary directory.")
  private @Nullable Path workFolder;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The report's folder, empty or new; default: load-reports/<time>-tables.")
  private @Nullable Path out;

  @Override
  public Integer call() throws Exception {
    Map<String, String> environment = System.getenv();
    PrintWriter terminal = spec.commandLine().getOut();
    Tables tables = tables(environment);
    ResultFolder folder = ResultFolder.at(folder(), "tables.json");
    try (Interruption interruption = new Interruption()) {
      interruption.stops(tables::stop);
      TablesDocument run;
      try (ProgressLine _ = ProgressLine.passing(terminal, tables::progress)) {
        run = tables.run(environment);
      }
      TablesReport report = new TablesReport(run);
      folder.write(report.page(), report.files(), run);
      terminal.print(report.text());
      terminal.println("report          " + folder.reportFile());
      terminal.flush();
      if (run.failure() != null) {
        throw new IOException(run.failure());
      }
      return run.keys().clean() ? ExitCodes.DONE : ExitCodes.FAILED;
    }
  }

  private Tables tables(Map<String, String> environment) throws MisuseException {
    try {
      Set<TableId> chosen = chosen();
      Path work = workFolder();
      return new Tables(chosen, counts(), devices(), HsmSettings.of(environment), work);
    } catch (IllegalArgumentException e) {
      throw new MisuseException(String.valueOf(e.getMessage()));
    }
  }

  private Set<TableId> chosen() {
    Set<TableId> chosen = EnumSet.noneOf(TableId.class);
    only.forEach(number -> chosen.add(TableId.ofNumber(number.strip())));
    return chosen.isEmpty() ? EnumSet.allOf(TableId.class) : chosen;
  }

  private Counts counts() throws MisuseException {
    if (thesisCounts) {
      if (scale != null) {
        throw new MisuseException("--thesis-counts and --scale do not go together");
      }
      return Counts.thesis();
    }
    double by = scale == null ? 1 : scale;
    if (!(by >= 0.01 && by <= 100)) {
      throw new MisuseException("--scale is 0.01 to 100");
    }
    return Counts.defaults(by);
  }

  private DeviceChoice devices() throws MisuseException {
    if (lanes < 1 || lanes > 64) {
      throw new MisuseException("--lanes is 1 to 64");
    }
    return switch (profile) {
      case "none" -> new DeviceChoice(true, Optional.empty());
      case "both" -> new DeviceChoice(true, Optional.of(simulated(DEFAULT_PROFILE)));
      default -> new DeviceChoice(false, Optional.of(simulated(profile)));
    };
  }

  private SimulatedDevice simulated(String name) throws MisuseException {
    try {
      return SimulatedDevice.of(name, lanes);
    } catch (IllegalArgumentException e) {
      throw new MisuseException("--profile: " + e.getMessage());
    }
  }

  private Path workFolder() throws MisuseException {
    Path folder =
        workFolder == null ? Path.of(System.getProperty("java.io.tmpdir", "/tmp")) : workFolder;
    if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
      throw new MisuseException("--work-dir: cannot write to " + folder);
    }
    return folder.toAbsolutePath();
  }

  private Path folder() {
    return out == null ? Path.of("load-reports", RunName.now("tables").folder()) : out;
  }
}
