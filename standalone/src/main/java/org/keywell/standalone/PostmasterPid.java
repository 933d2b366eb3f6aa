package org.keywell.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The content of PostgreSQL's {@code postmaster.pid} in its data directory (PostgreSQL manual,
 * section "Database File Layout").
 */
record PostmasterPid(ProcessHandle process, int port, boolean isStopping) {

  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  /** Returns the server that runs on the directory; empty if none does. */
  static Optional<PostmasterPid> find(Path dataDirectory) throws IOException {
    Path file = dataDirectory.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file);
    if (lines.size() <= PORT_LINE) {
      return Optional.empty();
    }
    return ProcessHandle.of(Long.parseLong(lines.get(PID_LINE).strip()))
        .filter(process -> isPostgresOn(dataDirectory, process))
        .map(process ->
            new PostmasterPid(
                process,
                Integer.parseInt(lines.get(PORT_LINE).strip()),
                lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("stopping")));
  }

  /** After a restart of the machine, another process may have the number. */
  private static boolean isPostgresOn(Path dataDirectory, ProcessHandle process) {
    ProcessHandle.Info info = process.info();
    return process.isAlive()
        && info.command().map(command -> command.endsWith("postgres")).orElse(false)
        && info.arguments()
            .map(arguments -> List.of(arguments).contains(dataDirectory.toString()))
            .orElse(false);
  }
}
