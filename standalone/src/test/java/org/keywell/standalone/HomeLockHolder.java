package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Path;

/** Another process that takes a data directory's lock, tells so, and keeps it until it is ended. */
final class HomeLockHolder {

  private HomeLockHolder() {}

  public static void main(String[] args) throws IOException {
    System.out.println(HomeLock.tryAcquire(Path.of(args[0])).isPresent() ? "locked" : "taken");
    int ignored = System.in.read();
    System.out.println(ignored);
  }

  static Process start(Path home) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            System.getProperty("java.class.path"),
            HomeLockHolder.class.getName(),
            home.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
