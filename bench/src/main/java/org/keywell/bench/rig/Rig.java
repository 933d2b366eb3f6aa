package org.keywell.bench.rig;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.keywell.bench.tables.measure.HsmSettings;

/** What the suite's parts measure with. */
public final class Rig {
  private final PreparedPool pool;
  private final double scale;
  private final AbDriver driver;
  private final Consumer<String> told;
  private Optional<String> database = Optional.empty();

  /**
   * Puts it together.
   *
   * @param scale how many times as many keys and requests as usual
   * @param told takes a line that says how far a part is
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
   * The HSM, for what is measured without a service.
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

  /** Of each kind, how many keys every service finds. */
  public Stock stock() {
    return new Stock(scaled(Stock.USUAL.rsa()), scaled(Stock.USUAL.ec()));
  }

  /** So many keys or requests, by the scale; at least one. */
  public int scaled(int usual) {
    return (int) Math.max(1, Math.round(usual * scale));
  }

  /**
   * Starts a service on the whole pool. The first one has the pool filled, if it is not.
   *
   * @param settings for its environment
   */
  public BenchService start(String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    pool.fill(stock());
    BenchService service = pool.start(name, settings);
    try {
      database = service.database();
      return service;
    } catch (IOException | RuntimeException e) {
      try (service) {
        throw e;
      }
    }
  }

  /** Which PostgreSQL the services have; empty before the first one, or if nobody tells. */
  public Optional<String> database() {
    return database;
  }

  /** How many RSA keys are left of the stock after the usual warm-up. */
  public int rsaAfterWarmUp() {
    return stock().rsa() - warmUp().rsa();
  }

  /** What warms a service up. */
  public WarmUp warmUp() {
    return warmUp(WarmUp.USUAL.ec());
  }

  /** The same, with another number of EC keys, which the scale changes. */
  public WarmUp warmUp(int usualEc) {
    return new WarmUp(scaled(usualEc), scaled(WarmUp.USUAL.rsa()));
  }

  /** As {@link #start}, and has it sign until its code is compiled. */
  public BenchService startWarm(String name, Map<String, String> settings)
      throws IOException, InterruptedException {
    return startWarm(name, settings, warmUp());
  }

  /** As {@link #startWarm(String, Map)}, with other numbers of requests. */
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

  /** Says how far a part is. */
  public void tell(String line) {
    told.accept(line);
  }
}
