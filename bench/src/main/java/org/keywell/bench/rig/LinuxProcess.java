package org.keywell.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux reports about a process, see proc(5). */
record LinuxProcess(long pid) {
  /** USER_HZ, which is 100 on every architecture that Java 25 runs on. */
  private static final long MICROS_PER_TICK = 10_000;

  /** Fields of stat are counted from 1; the command, which may contain spaces, is the second. */
  private static final int FIELDS_BEFORE_STATE = 2;

  private static final int UTIME = 14;
  private static final int STIME = 15;
  private static final int CUTIME = 16;
  private static final int CSTIME = 17;
  private static final long BYTES_PER_KIB = 1_024;

  /** Returns the processor time of all threads. */
  long cpuMicros() throws IOException {
    List<String> stat = stat();
    return MICROS_PER_TICK * (field(stat, UTIME) + field(stat, STIME));
  }

  /** Returns the processor time of children that it has waited for. */
  long endedChildrenCpuMicros() throws IOException {
    List<String> stat = stat();
    return MICROS_PER_TICK * (field(stat, CUTIME) + field(stat, CSTIME));
  }

  private List<String> stat() throws IOException {
    String line = Files.readString(file("stat"));
    return List.of(line.substring(line.lastIndexOf(')') + 2).strip().split(" ", -1));
  }

  private static long field(List<String> stat, int number) {
    return Long.parseLong(stat.get(number - FIELDS_BEFORE_STATE - 1));
  }

  /** Returns its memory in RAM, including shared pages. */
  long residentBytes() throws IOException {
    return BYTES_PER_KIB
        * Files.readAllLines(file("status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .map(line -> line.replaceAll("[^0-9]", ""))
            .mapToLong(Long::parseLong)
            .findFirst()
            .orElseThrow(() -> new IOException(file("status") + " has no VmRSS"));
  }

  private Path file(String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }
}
