package org.keywell.acceptance.running;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Threads that ask for one signature after the other, and pause after each that they did not get.
 * Thread-safe.
 */
public final class PatientCallers {

  private static final long PAUSE_MILLIS = 50;

  private final HttpApi http;
  private final KeySpec spec;
  private final long periodNanos;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  // Guarded by this.
  private final Set<String> keys = new HashSet<>();
  private final Map<String, Integer> others = new TreeMap<>();
  private int signed;
  private int inARow;
  private int keysSeenTwice;
  private Outage outage = new Outage(System.nanoTime());

  private PatientCallers(HttpApi http, KeySpec spec, Duration period) {
    this.http = http;
    this.spec = spec;
    this.periodNanos = period.toNanos();
  }

  /**
   * Starts them.
   *
   * @param period each asks so often at the most; zero: as soon as it has been answered
   */
  public static PatientCallers start(HttpApi http, KeySpec spec, int count, Duration period) {
    PatientCallers callers = new PatientCallers(http, spec, period);
    for (int i = 0; i < count; i++) {
      callers.threads.add(Thread.ofPlatform().name("caller-" + i).start(callers::ask));
    }
    return callers;
  }

  private void ask() {
    try {
      while (!stopped) {
        long began = System.nanoTime();
        if (!askOnce()) {
          Thread.sleep(PAUSE_MILLIS);
        }
        TimeUnit.NANOSECONDS.sleep(periodNanos - (System.nanoTime() - began));
      }
    } catch (IOException e) {
      note("no answer: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One more request, on this thread, that counts with theirs. Returns whether it was signed. */
  public boolean askOnce() throws IOException, InterruptedException {
    UUID id = UUID.randomUUID();
    return noteAnswer(http.sign(SignBody.of(id.toString()).requestId(id).keySpec(spec)));
  }

  private boolean noteAnswer(HttpApi.Answer answer) {
    if (answer.status() != 200) {
      noteRefused(answer);
      return false;
    }
    try {
      byte[] key = SignedAnswer.of(answer).publicKey().getEncoded();
      noteSigned(HexFormat.of().formatHex(key));
    } catch (GeneralSecurityException e) {
      note("unreadable: " + e);
    }
    return true;
  }

  private synchronized void noteSigned(String key) {
    signed++;
    inARow++;
    keysSeenTwice += keys.add(key) ? 0 : 1;
    outage.signed(System.nanoTime());
  }

  private synchronized void noteRefused(HttpApi.Answer answer) {
    note(answer.status() + " " + answer.problem());
    if (answer.status() == 503) {
      outage.refused(System.nanoTime());
    }
  }

  private synchronized void note(String answer) {
    others.merge(answer, 1, Integer::sum);
    inARow = 0;
  }

  /** Answers with a signature. */
  public synchronized int signed() {
    return signed;
  }

  /** Answers without a signature, by status and problem, and how often each was given. */
  public synchronized Map<String, Integer> others() {
    return Map.copyOf(others);
  }

  private synchronized int inARow() {
    return inARow;
  }

  private synchronized void startOver() {
    inARow = 0;
  }

  /** Forgets what was noticed of outages so far. */
  public synchronized void expectOutage() {
    outage = new Outage(System.nanoTime());
  }

  /** What was noticed since then, after {@link #stop}. */
  public synchronized Outage outage() {
    return outage;
  }

  /** Certificates whose key another one had before. */
  public synchronized int keysSeenTwice() {
    return keysSeenTwice;
  }

  /** Waits until so many signatures were answered in all. */
  public void awaitSigned(int count, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (signed() < count) {
      await(count + " signatures", deadline);
    }
  }

  /** Waits until so many more requests were answered, each with a signature. */
  public void awaitSignedInARow(int count, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    startOver();
    while (inARow() < count) {
      await(count + " signatures in a row", deadline);
    }
  }

  private void await(String what, long deadline) throws InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new AssertionError("not in time: " + what + "; " + this);
    }
    Thread.sleep(10);
  }

  @Override
  public synchronized String toString() {
    return signed + " signed in all, " + inARow + " in a row; other answers: " + others;
  }

  /** Ends after the requests at hand. */
  public void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
