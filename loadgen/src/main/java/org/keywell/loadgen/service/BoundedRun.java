package org.keywell.loadgen.service;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that has run, within a time limit.
 *
 * @param text what it has printed, standard output and error together
 * @param arrivals when which part of it arrived, in order
 */
public record BoundedRun(int exitCode, String text, List<Arrival> arrivals) {
  private static final int READ_BYTES = 1 << 16;
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(10);

  /**
   * A part of the output.
   *
   * @param end the number of characters up to its end
   * @param nanos when it arrived, by {@link System#nanoTime}
   */
  public record Arrival(int end, long nanos) {}

  /** What is done while a program runs. */
  public interface Work {
    void run() throws IOException, InterruptedException;
  }

  /**
   * Runs a program to its end. It does not outlive this call, whatever happens.
   *
   * @throws IOException if it cannot be started, or takes longer than the limit
   */
  public static BoundedRun of(List<String> command, Path directory, Duration limit)
      throws IOException, InterruptedException {
    return of(new ProcessBuilder(command).directory(directory.toFile()), limit);
  }

  /** As {@link #of(List, Path, Duration)}, with an environment. */
  public static BoundedRun of(ProcessBuilder program, Duration limit)
      throws IOException, InterruptedException {
    return run(
        program,
        process -> {
          if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            List<String> command = program.command();
            throw new IOException(
                "%s %s did not end within %d s and was killed"
                    .formatted(command.get(0), command.get(1), limit.toSeconds()));
          }
        });
  }

  /**
   * Runs a program while something is done, then ends it by SIGTERM, unless it has ended by itself.
   * It does not outlive this call.
   */
  public static BoundedRun during(Work work, List<String> command, Path directory)
      throws IOException, InterruptedException {
    return run(
        new ProcessBuilder(command).directory(directory.toFile()),
        process -> {
          work.run();
          process.destroy();
          if (!process.waitFor(ENDS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException(command.getFirst() + " did not end when it was asked to");
          }
        });
  }

  /** What to do until a process has ended. */
  private interface Wait {
    void until(Process process) throws IOException, InterruptedException;
  }

  private static BoundedRun run(ProcessBuilder program, Wait end)
      throws IOException, InterruptedException {
    Process process =
        program.redirectInput(new File("/dev/null")).redirectErrorStream(true).start();
    try {
      Output output = new Output(process.getInputStream());
      Thread reader = Thread.ofVirtual().name("output").start(output);
      end.until(process);
      reader.join();
      return new BoundedRun(process.exitValue(), output.text(), List.copyOf(output.arrivals));
    } finally {
      process.destroyForcibly();
    }
  }

  /** Returns the last line that is not blank. */
  public String lastLine() {
    return text.lines().filter(line -> !line.isBlank()).reduce("", (_, last) -> last).strip();
  }

  /** Reads until the end; its results are complete when its thread has ended. */
  private static final class Output implements Runnable {
    private final InputStream from;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<Arrival> arrivals = new ArrayList<>();

    Output(InputStream from) {
      this.from = from;
    }

    @Override
    public void run() {
      byte[] buffer = new byte[READ_BYTES];
      try {
        int read = from.read(buffer);
        while (read >= 0) {
          bytes.write(buffer, 0, read);
          arrivals.add(new Arrival(bytes.size(), System.nanoTime()));
          read = from.read(buffer);
        }
      } catch (IOException e) {
        // The process was killed; what is missing from its output is noticed.
      }
    }

    /** In an encoding with one character for each byte, as the arrivals count. */
    String text() {
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }
  }
}
