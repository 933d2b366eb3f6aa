package org.keywell.signing.caller;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.log.LogNotes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers that the file currently names. A changed file takes effect at the next check. An
 * invalid one changes nothing; it is logged once and reported by {@link #isFileRefused} until it is
 * fixed. Thread-safe.
 */
public final class CallerRegister implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CallerRegister.class);

  private static final Duration EVERY = Duration.ofSeconds(2);

  private final @Nullable CallersFile file;
  private final LogNotes notes;
  private final Worker worker;
  private byte[] content = {};
  private volatile Callers callers = Callers.NONE;
  private volatile @Nullable String problem;

  /**
   * Reads the file.
   *
   * @param path null: no file, so no caller is known by certificate
   * @param profiles tests whether a certificate profile exists
   * @param notes tell the log of each file that takes effect. It does not wait for them: a caller
   *     that was taken out loses its access whether the database works or not
   * @throws StartRefusedException if the file is invalid
   */
  public CallerRegister(@Nullable Path path, Predicate<String> profiles, LogNotes notes) {
    this.notes = notes;
    this.file = path == null ? null : new CallersFile(path, profiles);
    this.worker = new Worker("keywell-callers", this::look, EVERY);
    if (file != null) {
      byte[] first = file.read();
      callers = file.parse(first);
      content = first;
      tell(file);
      log.info("{} callers in {}", callers.size(), file);
    }
  }

  /** Starts watching the file, if there is one. */
  public void start() {
    if (file != null) {
      worker.start();
    }
  }

  @Override
  public void close() {
    worker.stop();
    boolean _ = worker.join(Worker.LONGEST_JOIN);
  }

  /** Returns the caller that this certificate currently identifies. */
  public Optional<Caller> of(X509Certificate certificate) {
    return callers.of(certificate);
  }

  /** Returns the caller that currently sends as this user of the message broker. */
  public Optional<Caller> ofBrokerUser(String user) {
    return callers.ofBrokerUser(user);
  }

  public int size() {
    return callers.size();
  }

  /** Whether the current file was refused, so that an earlier version is still in effect. */
  public boolean isFileRefused() {
    return problem != null;
  }

  /** Whether the watching thread has failed, so that a removed caller keeps its access. */
  public boolean isBroken() {
    return worker.isBroken();
  }

  /**
   * Checks the file once; the thread calls this repeatedly. Compares the content, since neither
   * time nor inode reliably shows a change.
   *
   * @return the pause before the next check
   */
  Duration look() {
    if (file == null) {
      return EVERY;
    }
    try {
      byte[] now = file.read();
      if (problem != null || !Arrays.equals(now, content)) {
        callers = file.parse(now);
        content = now;
        problem = null;
        tell(file);
        log.info("{} callers in {}, which has changed", callers.size(), file);
      }
      notes.retry();
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (StartRefusedException e) {
      if (isNews(String.valueOf(e.getMessage()))) {
        log.error("the callers stay as they were: {}", e.getMessage());
      }
    } catch (RuntimeException | Error e) {
      // A defect. The next check must still take place, or a removed caller keeps its access.
      if (isNews(e.toString())) {
        log.error("the callers stay as they were: {} cannot be taken", file, e);
      }
    }
    return EVERY;
  }

  private void tell(CallersFile taken) {
    notes.file("callers", taken.name(), content);
  }

  private boolean isNews(String told) {
    boolean news = !told.equals(problem);
    problem = told;
    return news;
  }
}
