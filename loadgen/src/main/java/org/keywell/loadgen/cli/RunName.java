package org.keywell.loadgen.cli;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * A run's default name.
 *
 * @param command such as {@code ramp}
 * @param time when it started, by the user's clock
 */
public record RunName(String command, String time) {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  public static RunName now(String command) {
    return new RunName(command, TIME.format(LocalDateTime.now(ZoneId.systemDefault())));
  }

  public String folder() {
    return time + "-" + command;
  }

  public String testId() {
    return command + "-" + time;
  }
}
