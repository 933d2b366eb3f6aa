package org.keywell.loadgen.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A limit on the processor time of a program and all that it starts: a control group of Linux,
 * version 1 or 2. Closing removes it, once its processes have ended.
 */
public record CpuQuota(Path group) implements AutoCloseable {
  private static final Path ALL = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;

  /**
   * Creates it.
   *
   * @param processors how many of them may be used, on average over a tenth of a second
   * @throws IOException if this machine or this user cannot
   */
  public static CpuQuota create(String name, double processors) throws IOException {
    return create(ALL, name, processors);
  }

  static CpuQuota create(Path all, String name, double processors) throws IOException {
    Path first = all.resolve("cpu");
    boolean isFirst = Files.exists(first.resolve("cpu.cfs_quota_us"));
    Path group = Files.createDirectory((isFirst ? first : all).resolve(name));
    CpuQuota quota = new CpuQuota(group);
    long micros = Math.round(PERIOD_MICROS * processors);
    try {
      Files.writeString(
          group.resolve(isFirst ? "cpu.cfs_quota_us" : "cpu.max"),
          isFirst ? Long.toString(micros) : micros + " " + PERIOD_MICROS,
          StandardOpenOption.WRITE);
      return quota;
    } catch (IOException e) {
      quota.close();
      throw e;
    }
  }

  /** Returns the same program within this limit. */
  public ServiceProgram limit(ServiceProgram program) {
    return program.by(
        List.of(
            "/bin/sh",
            "-c",
            "echo $$ >\"$0\" && exec \"$@\"",
            group.resolve("cgroup.procs").toString()));
  }

  @Override
  public void close() throws IOException {
    Files.delete(group);
  }
}
