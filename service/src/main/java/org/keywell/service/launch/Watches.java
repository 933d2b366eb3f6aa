package org.keywell.service.launch;

import org.keywell.service.ca.CaWatch;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.pool.PoolDepths;
import org.keywell.service.sign.Admission;
import org.springframework.stereotype.Component;

/** The threads that look after instance, CA and pools; the device is watched by the pools. */
@Component
final class Watches {

  private final InstanceWatch instance;
  private final CaWatch ca;
  private final PoolDepths depths;

  Watches(InstanceLock lock, Admission admission, CaWatch ca, PoolDepths depths) {
    this.instance = new InstanceWatch(lock, admission);
    this.ca = ca;
    this.depths = depths;
  }

  void start() {
    instance.start();
    ca.start();
    depths.start();
  }

  void stop() {
    instance.stop();
    ca.close();
    depths.close();
  }
}
