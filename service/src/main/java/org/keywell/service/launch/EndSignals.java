package org.keywell.service.launch;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the first SIGTERM or SIGINT stop in order, as the JVM does, and a second one end the
 * process at once. The JVM alone makes the second wait for the first.
 *
 * <p>By reflection: {@code sun.misc.Signal} is supported and exported by {@code jdk.unsupported},
 * but the compiler warns of each use, and no annotation suppresses that.
 */
final class EndSignals {

  /** The JVM's exit code for a signal is its number plus this. */
  private static final int SIGNALLED = 128;

  private static final Logger log = LoggerFactory.getLogger(EndSignals.class);

  private static final AtomicBoolean ending = new AtomicBoolean();

  private EndSignals() {}

  static void handle() {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              EndSignals.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (!method.getName().equals("handle")) {
                  // One of Object's, which nobody calls.
                  return method.invoke(EndSignals.class, arguments);
                }
                raised((int) signal.getMethod("getNumber").invoke(arguments[0]));
                return null;
              });
      for (String name : List.of("TERM", "INT")) {
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
      }
    } catch (ReflectiveOperationException e) {
      // With -Xrs, the JVM leaves signals to others.
      log.debug("signals end the process as the JVM has it", e);
    }
  }

  /** Runs on a thread that the JVM starts for each signal. */
  private static void raised(int number) {
    if (ending.compareAndSet(false, true)) {
      System.exit(SIGNALLED + number);
    } else {
      log.warn("a second signal came, and the process ends at once");
      Runtime.getRuntime().halt(SIGNALLED + number);
    }
  }
}
