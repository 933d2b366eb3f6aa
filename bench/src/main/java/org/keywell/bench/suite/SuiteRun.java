package org.keywell.bench.suite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Measures parts one after the other, and keeps their results, however it ends. */
public final class SuiteRun {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<PartId, Part> parts;
  private final int rounds;
  private final Consumer<String> told;
  private final LongSupplier nanos;
  private final List<MeasuredPart> measured = new ArrayList<>();
  private boolean interrupted;

  /**
   * Creates a run without starting it.
   *
   * @param told takes lines that report progress
   * @param nanos the clock
   */
  public SuiteRun(Map<PartId, Part> parts, int rounds, Consumer<String> told, LongSupplier nanos) {
    this.parts = new TreeMap<>(parts);
    this.rounds = rounds;
    this.told = told;
    this.nanos = nanos;
  }

  /** Runs to the end, or until its thread is interrupted. A failing part does not end others. */
  public void run() {
    int number = 0;
    for (Map.Entry<PartId, Part> part : parts.entrySet()) {
      if (interrupted) {
        return;
      }
      PartId id = part.getKey();
      told.accept(
          "%n== %s. %s (%d of %d)".formatted(id.letter(), id.title(), ++number, parts.size()));
      measure(id, part.getValue());
    }
  }

  private void measure(PartId id, Part part) {
    long began = nanos.getAsLong();
    try {
      PartResult result = part.measure(rounds);
      measured.add(MeasuredPart.of(id, result, secondsSince(began)));
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (IOException | RuntimeException e) {
      // Files and connections report an interruption as their own failure.
      if (Thread.interrupted()) {
        interrupted = true;
        return;
      }
      String failure = inOneLine(e);
      told.accept("failed: " + failure);
      measured.add(MeasuredPart.failed(id, failure, secondsSince(began)));
    }
  }

  private double secondsSince(long began) {
    return (nanos.getAsLong() - began) / NANOS_PER_SECOND;
  }

  private static String inOneLine(Exception e) {
    String message = e instanceof IOException ? e.getMessage() : e.toString();
    return String.valueOf(message).replaceAll("\\s*\\R\\s*", "; ");
  }

  /** Returns the results, in the order of the parts. */
  public List<MeasuredPart> measured() {
    return List.copyOf(measured);
  }

  public boolean interrupted() {
    return interrupted;
  }
}
