package org.keywell.keypool;

import java.util.Optional;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a device does what the pools' kinds of keys require, asked before the pools open. */
final class OfferedKinds {

  private static final Logger log = LoggerFactory.getLogger(OfferedKinds.class);

  private OfferedKinds() {}

  /** As {@link PoolConfig#lacking}. */
  static Optional<String> lacking(PoolConfig config, Hsm hsm) {
    for (PoolLimits limits : config.limits()) {
      KeySpec spec = limits.spec();
      if (!hsm.makes(spec)) {
        return Optional.of("the module makes no %s keys".formatted(spec));
      }
      if (config.mode() != PoolConfig.Mode.ON_THE_FLY
          && limits.maxStored() > 0
          && spec.algorithm() == KeySpec.Algorithm.ML_DSA
          && !wraps(hsm, spec)) {
        return Optional.of(
            "the module makes %s keys but does not wrap them, so max-stored must be 0"
                .formatted(spec));
      }
    }
    return Optional.empty();
  }

  private static boolean wraps(Hsm hsm, KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    try {
      WrappedKey _ = hsm.wrap(pair);
      return true;
    } catch (HsmException e) {
      if (e.reason() == HsmException.Reason.UNSUPPORTED) {
        return false;
      }
      throw e;
    } finally {
      Destruction destruction = hsm.destroy(pair.privateKey());
      if (!destruction.succeeded()) {
        log.warn("a throw-away key was not destroyed: {}", destruction);
      }
    }
  }
}
