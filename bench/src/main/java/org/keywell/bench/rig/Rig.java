package org.keywell.bench.rig;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The equipment that the suite's parts measure with. */
public final class Rig {
  private final PreparedPool pool;
  private final double scale;
  private final AbDriver driver;
  private final Consumer<String> told;
  private Optional<String> database = Optional.empty();

  /**
   * Creates the rig.
   *
   * @param scale factor for the usual numbers of keys and requests
   * @param told takes a line that reports a part's progress
   */
  public Rig(PreparedPool pool, double scale, Consumer<String> told) throws IOException {
    this.pool = pool;
    this.scale = scale;
    this.driver = new AbDriver(pool.scratch("driver"));
    this.told = told;
  }

  public PreparedPool pool() {
    return pool;
  }

  /**
   * Returns the HSM, for what is measured without a service.
   *
   * @throws IOException if the environment does not name one
   */
  public HsmSettings hsm() throws IOException {
    try {
      return HsmSettings.of(pool.environment());
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  public AbDriver driver() {
    return driver;
  }

  /** Returns how many keys of each kind every service finds. */
  public Stock stock() {
    return new Stock(scaled(Stock.USUAL.rsa()), scaled(Stock.USUAL.ec()));
  }

  /** Returns a number of keys or requests multiplied by the scale; at least one. */
  public int scaled(int usual) {
    return (int) Math.max(1, Math.round(usual * scale));
  }

  /**
   * Starts a service on the whole pool, which is filled first if necessary.
   *
   * @param settings for its environment
   */
  public BenchService start(String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    return start(name, settings, null);
  }

  /**
   * As {@link #start(String, Map)}.
   *
   * @param tls how it is reached, if the settings have it serve TLS
   */
  public BenchService start(String name, Map<String, String> settings, @Nullable SSLContext tls)
      throws IOException, InterruptedException {
    pool.fill(stock());
    BenchService service = pool.start(name, settings, tls);
    try {
      database = service.database();
      return service;
    } catch (IOException | RuntimeException e) {
      try (service) {
        throw e;
      }
    }
  }

  /** Returns the services' PostgreSQL version; empty before the first service, or if unknown. */
  public Optional<String> database() {
    return database;
  }

  /** Returns how many RSA keys of the stock are left after the usual warm-up. */
  public int rsaAfterWarmUp() {
    return stock().rsa() - warmUp().rsa();
  }

  /** Returns the usual warm-up. */
  public WarmUp warmUp() {
    return warmUp(WarmUp.USUAL.ec());
  }

  /** Returns the usual warm-up with another number of EC keys, which is scaled. */
  public WarmUp warmUp(int usualEc) {
    return new WarmUp(scaled(usualEc), scaled(WarmUp.USUAL.rsa()));
  }

  /** Like {@link #start}, then has the service sign until its code is compiled. */
  public BenchService startWarm(String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    return startWarm(name, settings, warmUp());
  }

  /** Like {@link #startWarm(String, Map)}, with other numbers of requests. */
  public BenchService startWarm(String name, Map<String, String> settings, WarmUp requests)
      throws IOException, InterruptedException {
    BenchService service = start(name, settings);
    try {
      tell("warming " + name + " up");
      service.warmUp(driver, requests);
      return service;
    } catch (IOException | InterruptedException | RuntimeException e) {
      try (service) {
        throw e;
      }
    }
  }

  /** Reports a part's progress. */
  public void tell(String line) {
    told.accept(line);
  }
}
