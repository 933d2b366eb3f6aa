package org.keywell.service.fairness;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Start-time fair queueing (Goyal, Vin, Cheng: SIGCOMM 1996) over callers, first in first out
 * within a caller: each element begins in virtual time when the one before it of the same caller
 * ends, or now if that is over, and takes the inverse of the caller's weight; the least beginning
 * goes first. While callers wait each is served by its weight, however many elements the others
 * have; one that comes anew goes before the backlog of all others. One caller alone has a plain
 * queue.
 *
 * <p>What elements take is not known beforehand, so each counts the same.
 *
 * <p>A caller is remembered until virtual time has passed the end of its last element, or nothing
 * waits: from then on it would begin as a new one does. Adding and taking are of the order of the
 * logarithm of the callers.
 *
 * <p>Not thread-safe.
 *
 * @param <E> waits for its turn
 */
public final class FairTurns<E> {

  /**
   * What an element of weight 1 takes in virtual time, which counts from the beginning: enough for
   * 10<sup>12</sup> elements.
   */
  private static final long TURN = 1_000_000;

  private static final Comparator<Line<?>> LEAST_BEGINNING =
      Comparator.<Line<?>>comparingLong(line -> line.begins).thenComparingLong(line -> line.entry);

  /** A caller's elements; without any it stays until virtual time has come to its beginning. */
  private static final class Line<E> {
    private final String caller;
    private final ArrayDeque<E> waiting = new ArrayDeque<>();
    private int weight;

    /** The beginning of the first element; of the next one, if none waits. */
    private long begins;

    /** Of two that begin together the one goes first that got its beginning first. */
    private long entry;

    Line(String caller, long begins, long entry) {
      this.caller = caller;
      this.begins = begins;
      this.entry = entry;
    }
  }

  private final Map<String, Line<E>> lines = new HashMap<>();
  private final PriorityQueue<Line<E>> turns = new PriorityQueue<>(LEAST_BEGINNING);

  /** The beginning of the element that was taken last. */
  private long virtualTime;

  private long entries;
  private int size;

  /**
   * Puts an element at the end of its caller's line.
   *
   * @param weight at least 1; goes for all of the caller's that wait
   */
  public void add(String caller, int weight, E element) {
    @Nullable Line<E> line = lines.get(caller);
    if (line == null) {
      line = new Line<>(caller, virtualTime, entries++);
      lines.put(caller, line);
      turns.add(line);
    }
    line.weight = weight;
    line.waiting.add(element);
    size++;
  }

  /** Takes the element whose turn it is; null if none waits. */
  public @Nullable E poll() {
    for (Line<E> line = turns.poll(); line != null; line = turns.poll()) {
      @Nullable E next = line.waiting.poll();
      if (next == null) {
        lines.remove(line.caller);
      } else {
        size--;
        virtualTime = line.begins;
        line.begins += TURN / line.weight;
        line.entry = entries++;
        turns.add(line);
        return next;
      }
    }
    return null;
  }

  /**
   * Takes an element out of turn, for which its caller's turn does not count; null if none fits.
   */
  public @Nullable E remove(Predicate<E> which) {
    for (Line<E> line : lines.values()) {
      for (Iterator<E> waiting = line.waiting.iterator(); waiting.hasNext(); ) {
        E element = waiting.next();
        if (which.test(element)) {
          waiting.remove();
          size--;
          return element;
        }
      }
    }
    return null;
  }

  /** How many elements wait. */
  public int size() {
    return size;
  }

  /** How many callers are remembered. */
  int callers() {
    return lines.size();
  }
}
