package org.keywell.loadgen.cli;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import org.keywell.loadgen.report.Pages;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.RunDocument;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows two runs side by side. */
@Command(
    name = "show",
    description = "Puts two runs side by side on one page, on the same scales.",
    sortOptions = false)
final class ShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets its own

  @Parameters(index = "0", paramLabel = "A", description = "Report folder of a run.")
  private Path first = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "Report folder of another run.")
  private Path second = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "FILE",
      defaultValue = "comparison.html",
      description = "Page to write; default: ${DEFAULT-VALUE}. Never replaces a file.")
  private Path out = Path.of("comparison.html");

  @Override
  public Integer call() throws Exception {
    String page = Pages.sideBySide(name(first), read(first), name(second), read(second));
    try {
      Files.writeString(out, page, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new MisuseException(out + " exists already; name another file with --out");
    }
    spec.commandLine().getOut().println(out);
    return ExitCodes.DONE;
  }

  private static RunDocument read(Path folder) throws Exception {
    if (!Files.exists(folder)) {
      throw new MisuseException("there is no " + folder);
    }
    return ReportFolder.read(folder);
  }

  private static String name(Path folder) {
    return String.valueOf(folder.toAbsolutePath().normalize().getFileName());
  }
}
