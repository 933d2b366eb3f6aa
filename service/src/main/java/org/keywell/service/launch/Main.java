package org.keywell.service.launch;

import java.util.Arrays;
import java.util.List;
import org.keywell.settings.EnvironmentCheck;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.builder.SpringApplicationBuilder;

/**
 * The executable. Exit codes: 0 done, 1 failed while running, 2 wrong use or configuration, 3 out
 * of memory, 4 a required database or HSM is missing (retry), with one line on standard error; 75
 * something hung ({@link BoundedStop}), or the embedded PostgreSQL ended (restart). {@code check}
 * has its own codes.
 */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    String command = args.length == 0 ? "serve" : args[0];
    List<String> rest = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
    watchThreads();
    try {
      EnvironmentCheck.refuseUnknown(System.getenv().keySet());
      run(command, rest);
    } catch (RuntimeException e) {
      System.exit(FailedStart.report(e, System.err));
    }
  }

  static void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler(new OutOfMemoryExit());
  }

  private static void run(String command, List<String> arguments) {
    switch (command) {
      case "serve" -> {
        refuseArguments(command, arguments);
        StoppableStart.run(
            new SpringApplicationBuilder(KeywellApplication.class)
                .initializers(parts -> PortCheck.check(parts.getEnvironment())));
      }
      case "fill" -> FillCommand.run(arguments);
      case "check" -> {
        refuseArguments(command, arguments);
        CheckCommand.run();
      }
      case "bootstrap" -> {
        refuseArguments(command, arguments);
        BootstrapCommand.run();
      }
      case "hsm" -> HsmCommand.run(arguments);
      case "ca-request" -> BootstrapCommand.request(arguments);
      case "ca-import" -> BootstrapCommand.importAnswer(arguments);
      default ->
          throw new StartRefusedException(
              "unknown command '"
                  + command
                  + "'; known: serve, fill N, check, bootstrap, hsm, ca-request, ca-import");
    }
  }

  private static void refuseArguments(String command, List<String> arguments) {
    if (!arguments.isEmpty()) {
      throw new StartRefusedException(
          "%s takes no arguments; settings come from the environment or application.yml"
              .formatted(command));
    }
  }
}
