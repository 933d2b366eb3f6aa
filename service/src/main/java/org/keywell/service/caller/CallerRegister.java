package org.keywell.service.caller;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.Worker;
import org.keywell.service.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers as the file names them now. A changed file counts from the next look on; one that is
 * not acceptable changes nothing, and is told once in the log and by {@link #isFileRefused} until
 * it is mended. Thread-safe.
 */
public final class CallerRegister implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CallerRegister.class);

  private static final Duration EVERY = Duration.ofSeconds(2);

  private final @Nullable CallersFile file;
  private final Worker worker;
  private byte[] content = {};
  private volatile Callers callers = Callers.NONE;
  private volatile @Nullable String problem;

  /**
   * Reads the file.
   *
   * @param path null: there is none, and nobody is a caller by certificate
   * @param profiles the names of certificate profiles that there are
   * @throws StartRefusedException if the file is not acceptable
   */
  public CallerRegister(@Nullable Path path, Predicate<String> profiles) {
    this.file = path == null ? null : new CallersFile(path, profiles);
    this.worker = new Worker("keywell-callers", this::look, EVERY);
    if (file != null) {
      byte[] first = file.read();
      callers = file.parse(first);
      content = first;
      log.info("{} callers in {}", callers.size(), file);
    }
  }

  /** Begins to look after the file, if there is one. */
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

  /** Whose certificate this is at the moment. */
  public Optional<Caller> of(X509Certificate certificate) {
    return callers.of(certificate);
  }

  /** How many callers there are. */
  public int size() {
    return callers.size();
  }

  /** Whether the file as it is now was refused, so that an earlier one still counts. */
  public boolean isFileRefused() {
    return problem != null;
  }

  /** Whether nobody looks after the file any more, so that a caller that is taken out stays. */
  public boolean isBroken() {
    return worker.isBroken();
  }

  /**
   * Looks at the file once, as the thread does again and again. Its content is what is compared:
   * neither its time nor its inode tells for certain that it is another.
   *
   * @return how long to pause before the next look
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
        log.info("{} callers in {}, which has changed", callers.size(), file);
      }
    } catch (OutOfMemoryError e) {
      throw e;
    } catch (StartRefusedException e) {
      if (isNews(String.valueOf(e.getMessage()))) {
        log.error("the callers stay as they were: {}", e.getMessage());
      }
    } catch (RuntimeException | Error e) {
      // A defect. Whatever it is, the next look must take place, or a caller that is taken out
      // stays.
      if (isNews(e.toString())) {
        log.error("the callers stay as they were: {} cannot be taken", file, e);
      }
    }
    return EVERY;
  }

  private boolean isNews(String told) {
    boolean news = !told.equals(problem);
    problem = told;
    return news;
  }
}
