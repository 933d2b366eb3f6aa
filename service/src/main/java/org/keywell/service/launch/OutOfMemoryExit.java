package org.keywell.service.launch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process if a thread dies because memory has run out. The rest of it would hold its ports
 * and serve nobody; the next start cleans up as after any crash.
 *
 * <p>The launcher and the image use the JVM's own {@code -XX:+ExitOnOutOfMemoryError}, which ends
 * it at the first such error, even a caught one. A jar cannot carry that option: this is for those
 * who start it with {@code java -jar}.
 */
final class OutOfMemoryExit implements Thread.UncaughtExceptionHandler {

  /** Like that of the JVM's option. */
  static final int CODE = 3;

  private static final Logger log = LoggerFactory.getLogger(OutOfMemoryExit.class);

  @Override
  public void uncaughtException(Thread thread, Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      try {
        System.err.println("keywell: out of memory");
      } finally {
        Runtime.getRuntime().halt(CODE);
      }
    }
    log.error("thread {} has ended", thread.getName(), failure);
  }
}
