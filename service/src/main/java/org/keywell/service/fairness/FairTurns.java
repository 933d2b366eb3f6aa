package org.keywell.service.fairness;

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
 * Start-time fair queueing (Goyal, Vin, Cheng: SIGCOMM 1996) over callers: each element begins in
 * virtual time when the one before it of the same caller ends, or now if that is over, and lasts
 * for its service time by the caller's weight; the least beginning goes first. While callers wait
 * each gets service time by its weight, however many elements the others have and however long
 * theirs take; one that comes anew goes before the backlog of all others.
 *
 * <p>A caller's elements stand in lines, one for each kind of element, and each line is first in,
 * first out. Only the first of a line is offered, and if it is not taken the next line is, by age,
 * then the next caller: what cannot be served yet holds up nothing but its own line. Who was passed
 * over so goes before the others once, and makes up for nothing more. One caller with one line has
 * a plain queue.
 *
 * <p>What an element takes is known when it is over. Whoever takes it {@linkplain #charge charges}
 * its caller what it is expected to take, and the difference afterwards.
 *
 * <p>A caller is remembered until virtual time has passed the end of its last element, or nothing
 * waits: from then on it would begin as a new one does. Adding is of the order of the logarithm of
 * the callers; taking, too, and looks at each caller that is passed over.
 *
 * <p>Not thread-safe.
 *
 * @param <K> tells an element's kind, by {@code equals}
 * @param <E> waits for its turn
 */
public final class FairTurns<K, E> {

  private static final Comparator<Account<?, ?>> LEAST_BEGINNING =
      Comparator.<Account<?, ?>>comparingLong(account -> account.begins)
          .thenComparingLong(account -> account.entry);

  /**
   * @param number tells which came first
   */
  private record Waiting<E>(long number, E element) {}

  private record Line<K, E>(K kind, ArrayDeque<Waiting<E>> waiting) {}

  /** A caller; without any element it stays until virtual time has come to its beginning. */
  private static final class Account<K, E> {
    private final String caller;
    private final List<Line<K, E>> lines = new ArrayList<>(1);

    /** The beginning of the next element that is taken. */
    private long begins;

    /** Of two that begin together the one goes first that got its beginning first. Unique. */
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

    /** The line whose first element is the oldest of those that came after this one. */
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

  /** The latest beginning of an element that was taken; in nanoseconds of weight 1. */
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
   * Offers the elements whose turn it may be, one after the other, and takes the first one that is
   * accepted.
   *
   * @param offer returns what it makes of the element; null: that one cannot be served now
   * @return what it made; null if none was accepted
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
   * @param nanos less than 0: what was charged too much
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

  /**
   * Takes an element out of turn, for which its caller's turn does not count; null if none fits.
   */
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

  /** How many elements wait. */
  public int size() {
    return size;
  }

  /** How many callers are remembered. */
  int callers() {
    return accounts.size();
  }
}
