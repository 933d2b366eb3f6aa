package org.keywell.bench.raw;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;

/**
 * The token whose calls are timed, open in this process, and a few wrapped keys. Their signatures
 * are thrown away, so each key may be unwrapped repeatedly, as a new object each time, which is
 * what the device's work depends on.
 *
 * <p>Not thread-safe.
 */
public final class CycleToken implements AutoCloseable {

  /** An RSA key takes a tenth of a second to generate. */
  private static final int KEYS = 8;

  private final HsmSettings settings;
  private final Map<String, String> environment;
  private final Pkcs11Hsm hsm;
  private final Map<KeySpec, List<WrappedKey>> keys = new EnumMap<>(KeySpec.class);

  private CycleToken(HsmSettings settings, Map<String, String> environment, Pkcs11Hsm hsm) {
    this.settings = settings;
    this.environment = Map.copyOf(environment);
    this.hsm = hsm;
  }

  /**
   * Logs in to the token and creates what it lacks, if the settings say so.
   *
   * @param environment variables that the module needs in another process, such as {@code
   *     SOFTHSM2_CONF}, if this process's own environment lacks them
   * @throws org.keywell.keypool.hsm.HsmException if the token cannot be used
   */
  public static CycleToken open(HsmSettings settings, Map<String, String> environment) {
    return new CycleToken(settings, environment, settings.open());
  }

  Pkcs11Config config() {
    return settings.token().config();
  }

  Map<String, String> environment() {
    return environment;
  }

  /** Returns the user's PIN; the caller closes it. */
  Pin pin() {
    return settings.token().credentials().userPin();
  }

  Pkcs11Hsm hsm() {
    return hsm;
  }

  /** Returns the keys of one kind; generates them on first use. */
  List<WrappedKey> keys(KeySpec spec) {
    return keys.computeIfAbsent(spec, this::make);
  }

  private List<WrappedKey> make(KeySpec spec) {
    List<WrappedKey> made = new ArrayList<>();
    while (made.size() < KEYS) {
      LiveKeyPair pair = hsm.generateExtractable(spec);
      try {
        made.add(hsm.wrap(pair));
      } finally {
        var _ = hsm.destroy(pair.privateKey());
      }
    }
    return List.copyOf(made);
  }

  /** Closes the token's sessions. */
  @Override
  public void close() {
    hsm.close();
  }
}
