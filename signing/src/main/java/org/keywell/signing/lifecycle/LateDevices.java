package org.keywell.signing.lifecycle;

import java.time.Duration;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.worker.Worker;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.ca.AuditKeys;
import org.keywell.signing.ca.CaOpener;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.ca.StampUnits;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.signing.log.OwnWitness;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.pool.LostKeys;
import org.keywell.signing.pool.PooledDevices;
import org.keywell.signing.pool.TokenMarks;
import org.keywell.signing.pool.WrappedKeyStores;
import org.keywell.signing.pool.WrappingKeyWatch;
import org.keywell.signing.stamp.TimeStamps;
import org.keywell.signing.start.NotThereYetException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Adds HSMs that were missing at the start once they appear. */
@Component
final class LateDevices {

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Logger log = LoggerFactory.getLogger(LateDevices.class);

  private final Devices devices;
  private final CaOpener caOpener;
  private final IssuingCas cas;
  private final AuditKeys auditKeys;
  private final SigningLog signingLog;
  private final OwnWitness witness;
  private final StampUnits stampUnits;
  private final TimeStamps stamps;
  private final KeyPools pools;
  private final WrappedKeyStores stores;
  private final TokenMarks marks;
  private final WrappingKeyWatch wrappingKeys;
  private final LostKeys lostKeys;

  private final Worker worker;

  LateDevices(
      Devices devices,
      CaOpener caOpener,
      IssuingCas cas,
      AuditKeys auditKeys,
      SigningLog signingLog,
      OwnWitness witness,
      StampUnits stampUnits,
      TimeStamps stamps,
      KeyPools pools,
      WrappedKeyStores stores,
      TokenMarks marks,
      WrappingKeyWatch wrappingKeys,
      LostKeys lostKeys) {
    this.devices = devices;
    this.caOpener = caOpener;
    this.cas = cas;
    this.auditKeys = auditKeys;
    this.signingLog = signingLog;
    this.witness = witness;
    this.stampUnits = stampUnits;
    this.stamps = stamps;
    this.pools = pools;
    this.stores = stores;
    this.marks = marks;
    this.wrappingKeys = wrappingKeys;
    this.lostKeys = lostKeys;
    this.worker =
        new Worker(
            "keywell-late-hsms",
            () -> {
              look();
              return EVERY;
            });
  }

  /** Starts the thread if a device is missing. */
  void start() {
    if (!devices.missing().isEmpty()) {
      worker.start();
    }
  }

  /** Returns whether the thread ended in time. */
  boolean end(Duration limit) {
    worker.stop();
    return worker.join(limit);
  }

  /** Checks once; the thread repeats this every five seconds. */
  void look() {
    for (DeviceProperties missing : devices.missing()) {
      if (!devices.isGivenUp(missing)) {
        open(missing);
      }
    }
  }

  private void open(DeviceProperties missing) {
    try {
      devices.open(missing, this::join);
      checkLostKeys();
    } catch (NotThereYetException e) {
      log.debug("device {}: {}", missing.name(), e.getMessage());
    } catch (HsmException e) {
      devices.leaveOut(missing, e);
    } catch (StartRefusedException e) {
      devices.leaveOut(missing, e);
    }
  }

  private void checkLostKeys() {
    try {
      lostKeys.checkWithLateDevice();
    } catch (DatabaseException e) {
      log.warn("keys that are lost would show at the next start only: {}", e.getMessage());
    }
  }

  /** Adds the CA first: certificates may be requested as soon as there are keys. */
  private void join(OpenDevice device) {
    if (device.role().signs()) {
      cas.add(caOpener.open(device));
      if (signingLog.isKept()) {
        signingLog.add(device, auditKeys.open(device));
      }
      witness.add(device);
      if (stamps.isOne()) {
        stamps.add(stampUnits.open(device));
      }
    }
    wrappingKeys.join(device);
    if (pools.add(PooledDevices.late(pools.config(), device, stores, marks))) {
      log.info("device {} has come, and works with the others", device.name());
    }
  }
}
