package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.keywell.loadgen.messages.BrokerServer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The broker of {@code load messages}, which starts this program again as that. */
@Command(
    name = "message-broker",
    description = "Runs a broker until its input ends.",
    hidden = true)
final class BrokerCommand implements Callable<Integer> {
  private static final String HEAP = "-Xmx512m";

  @Parameters(index = "0", paramLabel = "DIRECTORY")
  private Path directory = Path.of("");

  @Parameters(index = "1", paramLabel = "PORT")
  private int port;

  BrokerCommand() {}

  /**
   * Returns what runs this command in a process of its own, in this Java; its parameters follow.
   */
  static List<String> program() {
    String classPath = System.getProperty("java.class.path");
    List<String> program = new ArrayList<>();
    program.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Netty's use of it has Java warn, and each connection would be logged.
    program.addAll(
        List.of(HEAP, "-Dio.netty.noUnsafe=true", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
    // The executable jar brings a class loader for the jars within it.
    if (ClassLoader.getSystemClassLoader().equals(BrokerCommand.class.getClassLoader())) {
      program.addAll(List.of("-cp", classPath, LoadCommand.class.getName()));
    } else {
      program.addAll(List.of("-jar", Path.of(classPath).toAbsolutePath().toString()));
    }
    program.add("message-broker");
    return program;
  }

  @Override
  public Integer call() throws Exception {
    BrokerServer.run(System.in, directory, port);
    return ExitCodes.DONE;
  }
}
