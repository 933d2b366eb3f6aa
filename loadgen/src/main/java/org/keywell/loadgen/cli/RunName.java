package org.keywell.loadgen.cli;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/**
 * What a run is called unless its user says otherwise.
 *
 * @param command such as {@code ramp}
 * @param time when it began, as the user's clock shows it
 */
public record RunName(String command, String time) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

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
