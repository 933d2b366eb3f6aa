package org.keywell.signing.start;

/** How the process ends, for supervisors. */
public final class ExitCode {

  /** Only a new process helps: a call hangs, or the embedded database is gone. */
  public static final int HUNG = 75;

  private ExitCode() {}
}
