package org.keywell.plan.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.cli.ExitCodes;
import org.keywell.loadgen.cli.KeywellProgram;
import org.keywell.loadgen.cli.MisuseException;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.plan.Plan;
import org.keywell.plan.PlanFormatException;
import org.keywell.plan.PlanInputException;
import org.keywell.plan.PlanJson;
import org.keywell.plan.PlanSettings;
import org.keywell.plan.Planner;
import org.keywell.plan.Setting;
import org.keywell.plan.Week;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The program: computes how many HSMs, and which pool, a load needs. */
@Command(
    name = "keywell load plan",
    description = {
      "Computes what HSMs and a key pool can carry, and how many HSMs a load needs with and without"
          + " the pool. Needs no service.",
      "Default: the thesis's case, 50 requests per second for two hours a day on a Luna SA 1700."
    },
    sortOptions = false,
    modelTransformer = PlanCommand.SettingOptions.class)
public final class PlanCommand implements Callable<Integer> {
  private static final String PAGE = "plan.html";

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  private boolean unusedHelp; // picocli acts on it

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description =
          "Read settings from a JSON object with the keys that --json shows under input; options"
              + " take precedence.")
  private @Nullable Path input;

  @Option(names = "--json", description = "Print the plan as JSON instead of text.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Also write plan.json and plan.html into this folder, empty or new.")
  private @Nullable Path out;

  /** An option for each setting, from the setting's own words. */
  static final class SettingOptions implements IModelTransformer {

    SettingOptions() {}

    @Override
    public CommandSpec transform(CommandSpec command) {
      for (Setting setting : Setting.values()) {
        command.addOption(
            OptionSpec.builder(setting.option())
                .type(String.class)
                .paramLabel(setting == Setting.WEEK ? "FILE" : "VALUE")
                .description(description(setting).replace("%", "%%"))
                .build());
      }
      return command;
    }

    private static String description(Setting setting) {
      String unit = setting.unit().isEmpty() ? "" : " " + setting.unit();
      String range = setting.range().isEmpty() ? "" : "; " + setting.range() + unit;
      String byDefault =
          setting.byDefault().isEmpty() ? "" : "; default: " + setting.byDefault() + unit;
      return setting.meaning() + range + byDefault + ".";
    }
  }

  private PlanCommand() {}

  /** Returns the program, ready to execute. */
  static CommandLine commandLine() {
    return KeywellProgram.of(new PlanCommand());
  }

  static void main(String[] args) {
    System.exit(KeywellProgram.run(commandLine(), args));
  }

  @Override
  public Integer call() throws Exception {
    PlanSettings options = options(spec.commandLine().getParseResult());
    PlanSettings settings = options.over(fromFile());
    Plan plan;
    try {
      plan = Planner.plan(settings);
    } catch (PlanInputException e) {
      String name =
          options.isGiven(e.setting()) || input == null
              ? e.setting().option()
              : e.setting().key() + " in " + input;
      throw new MisuseException(name + " " + e.getMessage());
    }
    PrintWriter printer = spec.commandLine().getOut();
    if (out != null) {
      folder(out).write(new PlanPage(plan, settings).html(), PAGE, "plan.json", plan);
    }
    printer.print(
        json ? ReportFolder.json(plan) + System.lineSeparator() : PlanReport.text(plan, settings));
    if (out != null && !json) {
      printer.println();
      printer.println(out.resolve(PAGE));
    }
    printer.flush();
    return ExitCodes.DONE;
  }

  private static ReportFolder folder(Path path) throws MisuseException {
    try {
      return ReportFolder.create(path);
    } catch (IOException e) {
      throw new MisuseException("--out: " + e.getMessage());
    }
  }

  private static PlanSettings options(ParseResult parsed) throws MisuseException {
    Map<Setting, String> texts = new EnumMap<>(Setting.class);
    @Nullable Week week = null;
    for (Setting setting : Setting.values()) {
      String text = parsed.matchedOptionValue(setting.option(), (String) null);
      if (text != null && setting == Setting.WEEK) {
        week = week(Path.of(text));
      } else if (text != null) {
        texts.put(setting, text);
      }
    }
    return PlanSettings.of(texts, week);
  }

  private static Week week(Path file) throws MisuseException {
    String option = Setting.WEEK.option();
    try {
      return PlanSettings.parseWeek(read(option, file));
    } catch (PlanFormatException e) {
      throw new MisuseException("%s %s: %s".formatted(option, file, e.getMessage()));
    }
  }

  private PlanSettings fromFile() throws MisuseException {
    if (input == null) {
      return PlanSettings.DEFAULTS;
    }
    try {
      return PlanJson.settings(read("--input", input));
    } catch (PlanFormatException e) {
      throw new MisuseException("--input %s: %s".formatted(input, e.getMessage()));
    }
  }

  private static String read(String option, Path file) throws MisuseException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new MisuseException("%s %s is no UTF-8 text".formatted(option, file));
    } catch (IOException e) {
      throw new MisuseException("%s: cannot read %s".formatted(option, file));
    }
  }
}
