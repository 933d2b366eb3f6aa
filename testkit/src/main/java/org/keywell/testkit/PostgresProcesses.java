package org.keywell.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processes of the embedded PostgreSQL of one data directory. */
public final class PostgresProcesses {

  private final List<ProcessHandle> processes;

  private PostgresProcesses(List<ProcessHandle> processes) {
    this.processes = processes;
  }

  /** Those that run now: the postmaster, which its pid file names, and its children. */
  public static PostgresProcesses of(Path home) throws IOException {
    Path pidFile = home.resolve("postgres").resolve("postmaster.pid");
    long pid = Long.parseLong(Files.readAllLines(pidFile).getFirst().strip());
    ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
    return new PostgresProcesses(
        Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList());
  }

  public long postmaster() {
    return processes.getFirst().pid();
  }

  /** All of them, the postmaster first. */
  public List<ProcessHandle> all() {
    return processes;
  }

  public boolean areAlive() {
    return processes.getFirst().isAlive();
  }

  /** As {@code kill -9} does; its children find out by themselves. */
  public void killPostmaster() {
    processes.getFirst().destroyForcibly();
  }

  /** Waits until none of them runs. */
  public void awaitEnd() throws InterruptedException {
    Await.until(
        "no process of PostgreSQL is left",
        () -> processes.stream().noneMatch(ProcessHandle::isAlive));
  }
}
