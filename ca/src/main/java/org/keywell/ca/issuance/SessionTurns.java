package org.keywell.ca.issuance;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Work in SunPKCS11's sessions, of which the idle ones take turns. A call that failed, or a failed
 * search of the key store, may leave its operation active in one; then the session refuses the next
 * operation, and SunPKCS11 neither ends that one nor closes the session.
 */
public final class SessionTurns {
  private static final int ATTEMPTS = 10;

  private static final String OPERATION_ACTIVE = "CKR_OPERATION_ACTIVE";

  /** Work that begins an operation. */
  @FunctionalInterface
  public interface Work<T, E extends Exception> {
    T run() throws E;
  }

  private SessionTurns() {}

  /**
   * Repeats work that a session refused for such an operation, in the next session. Waits 45 ms in
   * all for others to become idle.
   */
  public static <T, E extends Exception> T run(Work<T, E> work) throws E {
    for (int attempt = 1; ; attempt++) {
      try {
        return work.run();
      } catch (Exception e) {
        if (attempt == ATTEMPTS || !isRefusal(e)) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(attempt));
      }
    }
  }

  /** By its text: the JDK does not export the type. */
  private static boolean isRefusal(Exception failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (String.valueOf(cause.getMessage()).contains(OPERATION_ACTIVE)) {
        return true;
      }
    }
    return false;
  }
}
