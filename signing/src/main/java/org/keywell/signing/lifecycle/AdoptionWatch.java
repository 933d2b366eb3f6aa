package org.keywell.signing.lifecycle;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.sign.SignListener;
import org.springframework.stereotype.Component;

/** The thread that finds what vanished instances have left. */
@Component
final class AdoptionWatch {

  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Worker worker;

  AdoptionWatch(
      VanishedInstances vanished,
      InstanceLock lock,
      SignListener requests,
      PoolListener keys,
      LongSupplier nanoClock,
      KeywellProperties properties,
      LogWriter log) {
    Adoption adoption =
        new Adoption(vanished, lock, requests, keys, nanoClock, properties.instance(), log);
    this.worker =
        new Worker(
            "keywell-adoption",
            () -> {
              adoption.look();
              return EVERY;
            },
            EVERY);
  }

  void start() {
    worker.start();
  }

  /** Returns whether the thread ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }
}
