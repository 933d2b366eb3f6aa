package org.keywell.service.launch;

import java.util.Locale;
import org.keywell.ca.agreement.X25519Provider;
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
    // Digits and letters' cases are everyone's: SQL, protocols and the log are made of them.
    Locale.setDefault(Locale.ROOT);
    watchThreads();
    try {
      EnvironmentCheck.refuseUnknown(System.getenv().keySet());
      run(args);
    } catch (RuntimeException e) {
      System.exit(FailedStart.report(e, System.err));
    }
  }

  static void watchThreads() {
    Thread.setDefaultUncaughtExceptionHandler(new OutOfMemoryExit());
  }

  private static void run(String... args) {
    if (args.length > 0 && !args[0].equals("serve")) {
      Commands.run(args);
      return;
    }
    if (args.length > 1) {
      throw new StartRefusedException(
          "serve takes no arguments; settings come from the environment or application.yml");
    }
    X25519Provider.register();
    StoppableStart.run(
        new SpringApplicationBuilder(KeywellApplication.class)
            .initializers(parts -> PortCheck.check(parts.getEnvironment())));
  }
}
