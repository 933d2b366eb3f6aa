package org.keywell.acceptance.running;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.PostgresForTests.Database;

/** The configuration of a service under test, as {@code keywell.*} properties. */
public final class Settings {

  private Settings() {}

  /**
   * A service on a token of SoftHSM and a database for tests, on a free port. It generates no keys
   * unless {@code more} says so, so that a test can count them.
   */
  public static Map<String, String> of(
      SoftHsmToken token, Database database, Path home, Map<String, String> more) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("server.port", "0");
    settings.put("keywell.home", home.toString());
    settings.put("keywell.hsm.module", token.config().module().toString());
    settings.put("keywell.hsm.token-label", token.config().tokenLabel());
    settings.put("keywell.hsm.wrapping-key-label", token.config().wrappingKeyLabel());
    settings.put("keywell.hsm.pin-file", pinFile(token, home).toString());
    settings.put("keywell.hsm.bootstrap", "if-missing");
    settings.put("keywell.hsm.max-sessions", "16");
    settings.put("keywell.database.url", database.url());
    settings.put("keywell.database.username", database.asService().username());
    settings.put("keywell.database.password", database.asService().password());
    settings.put("keywell.warm-up", "0s");
    settings.put("keywell.http.drain", "0s");
    settings.put("keywell.pool.when-empty", "refuse");
    settings.put("keywell.pool.specs.RSA-2048.max-stored", "0");
    settings.put("keywell.pool.specs.RSA-2048.loaded-capacity", "100");
    settings.put("keywell.pool.specs.RSA-2048.low-water", "50");
    settings.put("keywell.pool.specs.RSA-2048.batch-size", "25");
    settings.putAll(more);
    return settings;
  }

  /** A pool of one kind that is loaded as far as the store and the capacity allow. */
  public static Map<String, String> pool(KeySpec spec, int loadedCapacity) {
    String prefix = "keywell.pool.specs." + spec.label() + ".";
    return Map.of(
        prefix + "max-stored", "0",
        prefix + "loaded-capacity", Integer.toString(loadedCapacity),
        prefix + "low-water", Integer.toString(loadedCapacity),
        prefix + "batch-size", Integer.toString(loadedCapacity));
  }

  /**
   * A second HSM, west, beside that of {@link #of}, which is called east then; no token of theirs
   * has a key of the wrapping key's label yet.
   */
  public static Map<String, String> besides(SoftHsmToken west) {
    String second = "keywell.hsm.devices[1].";
    return Map.of(
        "keywell.hsm.wrapping-key-label",
        "keywell-shared",
        // That of each token's own, which nothing uses.
        "keywell.hsm.known-token-keys",
        SoftHsmToken.WRAPPING_KEY_LABEL,
        "keywell.hsm.devices[0].name",
        "east",
        second + "name",
        "west",
        second + "module",
        west.config().module().toString(),
        second + "token-label",
        west.config().tokenLabel(),
        second + "pin",
        new String(west.pinCharacters()));
  }

  private static Path pinFile(SoftHsmToken token, Path home) {
    Path file = home.resolve("pin");
    return file.toFile().exists() ? file : token.writePinFile(home);
  }
}
