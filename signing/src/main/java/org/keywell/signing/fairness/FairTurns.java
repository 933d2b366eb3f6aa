package org.keywell.signing.fairness;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Start-time fair queueing (Goyal, Vin, Cheng: SIGCOMM 1996) over callers. In virtual time, each
 * element starts when its caller's previous one ends, or now if that has passed, and lasts for its
 * service time divided by the caller's weight; the earliest start goes first. While callers wait,
 * each gets service time by its weight, regardless of how many elements the others have and how
 * long theirs take. A newly arrived caller goes ahead of the backlog of all others.
 *
 * <p>A caller's elements wait in lines, one per kind; each line is first in, first out. Only the
 * head of a line is offered. If it is not taken, the next line's is, by age, then the next
 * caller's: an element that cannot be served yet holds up only its own line. A caller passed over
 * this way goes first once, without further compensation. One caller with one line has a plain
 * queue.
 *
 * <p>An element's service time is known only when it is over. The thread that takes it {@linkplain
 * #charge charges} its caller the expected time, and the difference afterwards.
 *
 * <p>A caller is remembered until virtual time has passed the end of its last element, or nothing
 * waits: from then on it would start like a new one. Adding takes logarithmic time in the number of
 * callers; so does taking, which also visits each caller that is passed over.
 *
 * <p>Not thread-safe.
 *
 * @param <K> an element's kind, compared by {@code equals}
 * @param <E> an element that waits for its turn
 */
public final class FairTurns<K, E> {

  private static final Comparator<Account<?, ?>> LEAST_BEGINNING =
      Comparator.<Account<?, ?>>comparingLong(account -> account.begins)
          .thenComparingLong(account -> account.entry);

  /**
   * @param number orders elements by arrival
   */
  private record Waiting<E>(long number, E element) {}

  private record Line<K, E>(K kind, ArrayDeque<Waiting<E>> waiting) {}

  /** A caller; without elements, it stays until virtual time has reached its start. */
  private static final class Account<K, E> {
    private final String caller;
    private final List<Line<K, E>> lines = new ArrayList<>(1);

    /** The start of the next element that is taken. */
    private long begins;

    /** Breaks ties between equal starts: the one that was set first goes first. Unique. */
    private long entry;

    Account(String caller, long begins, long entry) {
      this.caller = caller;
      this.begins = begins;
      this.entry = entry;
    }

    ArrayDeque<Waiting<E>> line(K kind) {
      for (Line<K, E> line : lines) {
        if (line.kind.equals(kind)) {
          return line.waiting;
        }
      }
      Line<K, E> added = new Line<>(kind, new ArrayDeque<>());
      lines.add(added);
      return added.waiting;
    }

    boolean isEmpty() {
      for (Line<K, E> line : lines) {
        if (!line.waiting.isEmpty()) {
          return false;
        }
      }
      return true;
    }

    /** Returns the line whose head is the oldest that arrived after this one. */
    @Nullable ArrayDeque<Waiting<E>> oldestAfter(long number) {
      @Nullable ArrayDeque<Waiting<E>> oldest = null;
      long least = Long.MAX_VALUE;
      for (Line<K, E> line : lines) {
        Waiting<E> first = line.waiting.peek();
        if (first != null && first.number > number && first.number < least) {
          oldest = line.waiting;
          least = first.number;
        }
      }
      return oldest;
    }
  }

  private final Map<String, Account<K, E>> accounts = new HashMap<>();
  private final TreeSet<Account<K, E>> turns = new TreeSet<>(LEAST_BEGINNING);

  /** The latest start of an element that was taken, in nanoseconds of weight 1. */
  private long virtualTime;

  private long entries;
  private long numbers;
  private int size;

  /** Puts an element at the end of its caller's line of this kind. */
  public void add(String caller, K kind, E element) {
    @Nullable Account<K, E> account = accounts.get(caller);
    if (account == null) {
      account = new Account<>(caller, virtualTime, entries++);
      accounts.put(caller, account);
      turns.add(account);
    }
    account.line(kind).add(new Waiting<>(numbers++, element));
    size++;
  }

  /**
   * Offers the elements whose turn it may be, one by one, and takes the first that is accepted.
   *
   * @param offer returns its result for the element; null if that cannot be served now
   * @return that result; null if none was accepted
   */
  public <T> @Nullable T poll(Function<? super E, @Nullable T> offer) {
    for (Iterator<Account<K, E>> all = turns.iterator(); all.hasNext(); ) {
      Account<K, E> account = all.next();
      if (account.isEmpty()) {
        if (account.begins <= virtualTime || size == 0) {
          all.remove();
          accounts.remove(account.caller);
        }
      } else {
        T taken = firstAccepted(account, offer);
        if (taken != null) {
          all.remove();
          size--;
          virtualTime = Math.max(virtualTime, account.begins);
          account.begins = virtualTime;
          account.entry = entries++;
          turns.add(account);
          return taken;
        }
      }
    }
    return null;
  }

  private static <K, E, T> @Nullable T firstAccepted(
      Account<K, E> account, Function<? super E, @Nullable T> offer) {
    long number = -1;
    while (true) {
      @Nullable ArrayDeque<Waiting<E>> line = account.oldestAfter(number);
      if (line == null) {
        return null;
      }
      Waiting<E> first = line.element();
      T taken = offer.apply(first.element);
      if (taken != null) {
        line.remove();
        return taken;
      }
      number = first.number;
    }
  }

  /**
   * Counts service time towards a caller's next turn.
   *
   * @param weight the caller's, at least 1
   * @param nanos negative to refund what was overcharged
   */
  public void charge(String caller, int weight, long nanos) {
    @Nullable Account<K, E> account = accounts.get(caller);
    if (account != null) {
      turns.remove(account);
    } else if (nanos > 0) {
      account = new Account<>(caller, virtualTime, entries++);
      accounts.put(caller, account);
    } else {
      return;
    }
    account.begins += nanos / weight;
    turns.add(account);
  }

  /** Takes an element out of turn, without using its caller's turn; null if none matches. */
  public @Nullable E remove(Predicate<E> which) {
    for (Account<K, E> account : accounts.values()) {
      for (Line<K, E> line : account.lines) {
        for (Iterator<Waiting<E>> waiting = line.waiting.iterator(); waiting.hasNext(); ) {
          E element = waiting.next().element;
          if (which.test(element)) {
            waiting.remove();
            size--;
            return element;
          }
        }
      }
    }
    return null;
  }

  /** Returns how many elements wait. */
  public int size() {
    return size;
  }

  /** Returns how many callers are remembered. */
  int callers() {
    return accounts.size();
  }
}
