package org.keywell.bench.tables.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaKeySpec;
import org.keywell.ca.token.ThrowAwayCa;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.timed.DeviceProfile;
import org.keywell.keypool.hsm.timed.TimedHsm;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;

/**
 * An HSM, a database and a CA to measure with. The HSM may be shared; the others are created for
 * this purpose and removed by {@link #close}. Never touches a service's pool.
 */
public final class Workbench implements AutoCloseable {
  private static final String INSTANCE = "tables";
  private static final CaKeySpec CA_KEY = CaKeySpec.EC_P256;

  /** Fifty threads wait for the CA's few signers at the same time; none may be refused. */
  private static final SigningLimits CA_LIMITS =
      new SigningLimits(SigningLimits.DEFAULT_CONCURRENT, Duration.ofMinutes(1));

  private static final int WARM_UP_ROWS = 200;
  private static final int WARM_UP_UNWRAPS = 50;
  private static final int WARM_UP_CERTIFICATES = 500;

  private final HsmSettings settings;
  private final AccountedHsm device;
  private final DeviceChoice choice;
  private final Map<String, Hsm> slowed = new HashMap<>();
  private final ScratchDatabase database;
  private final long liveBefore;
  private final KeyStock stock;
  private final WholeSigning signing;
  private final JdbcWrappedKeyStore store;
  private final JdbcWrappedKeyStore standInStore;
  private @Nullable StandInKeys standIns;

  private Workbench(
      HsmSettings settings,
      AccountedHsm device,
      ScratchDatabase database,
      DeviceChoice choice,
      CertificateAuthority ca) {
    this.settings = settings;
    this.device = device;
    this.choice = choice;
    this.database = database;
    this.store = new JdbcWrappedKeyStore(database.dataSource(), INSTANCE, device.wrappingKeyId());
    this.standInStore =
        new JdbcWrappedKeyStore(database.dataSource(), INSTANCE, StandInKeys.WRAPPING_KEY_ID);
    this.stock = new KeyStock(device, store);
    this.signing = new WholeSigning(ca);
    this.liveBefore = device.countLiveKeys();
  }

  /**
   * Opens the HSM, creates a throw-away CA in it, and starts a database.
   *
   * @param parent the database's folder is created in it
   * @throws org.keywell.keypool.hsm.HsmException if the token cannot be used
   * @throws org.keywell.ca.token.CaTokenException if the CA cannot be created
   */
  public static Workbench open(HsmSettings settings, DeviceChoice choice, Path parent)
      throws IOException {
    Pkcs11Hsm token = settings.open();
    try {
      CertificateAuthority ca = ca(token);
      ScratchDatabase database = ScratchDatabase.start(parent);
      try {
        return new Workbench(settings, new AccountedHsm(token), database, choice, ca);
      } catch (RuntimeException e) {
        database.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      token.close();
      throw e;
    }
  }

  private static CertificateAuthority ca(Pkcs11Hsm token) {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    IssuingKey key =
        ThrowAwayCa.make(
            token.certifiedKeys(token.slotId()),
            CA_KEY,
            Subject.ofCommonName("Keywell experiment"),
            clock.instant(),
            random);
    return new BouncyCastleCertificateAuthority(
        key, CertificateProfiles.ofStandard(ProfileSettings.defaults()), CA_LIMITS, clock, random);
  }

  /** Describes the HSM for reports. */
  public String describeHsm() {
    return "token '%s' of %s, at most %d sessions; the CA's key is %s in the same token"
        .formatted(
            settings.config().tokenLabel(),
            settings.config().module(),
            settings.config().maxSessions(),
            CA_KEY);
  }

  /** Describes the database for reports. */
  public String describeDatabase() {
    return database.describe();
  }

  /**
   * Measures a row of the thesis on the device of a column.
   *
   * @throws ExperimentFailedException and others, like {@link Experiment#run}
   */
  public List<Timed> measure(Column column, ThesisRow row, int count, Meter meter)
      throws InterruptedException {
    return experiment(row.table()).run(row, device(column, row), count, meter);
  }

  /** Returns the device of a row in a column; the same one for every row of the same profile. */
  private Hsm device(Column column, ThesisRow row) {
    Optional<DeviceProfile> profile = choice.profile(column, row);
    return profile.isEmpty()
        ? device
        : slowed.computeIfAbsent(profile.get().name(), _ -> new TimedHsm(device, profile.get()));
  }

  private Experiment experiment(TableId table) {
    OneThread oneThread = new OneThread(stock, signing);
    return switch (table) {
      case GENERATION -> new Generation();
      case WRAP_AND_SAVE -> new WrapAndSave(store);
      case TRANSFER -> new Transfer(standInStore, this::standIns);
      case LOAD_AND_UNWRAP -> new LoadAndUnwrap(stock);
      case WHOLE_SIGNING -> oneThread;
      case THREADS -> new ManyThreads(stock, signing);
      case SIGNING_WHILE_UNWRAPPING -> new OneThreadBesideUnwrapping(stock, oneThread);
    };
  }

  private StandInKeys standIns() {
    if (standIns == null) {
      standIns = new StandInKeys(stock.makeOne());
    }
    return standIns;
  }

  /** Generates keys for the tables that sign, until {@code count} are stored. */
  public void fillStock(int count, Meter meter) throws InterruptedException {
    stock.fill(count, meter);
  }

  /** Returns how many keys a table takes out of the stock temporarily and puts back. */
  public static int borrowed(ThesisRow row, int count) {
    return switch (row.table()) {
      case LOAD_AND_UNWRAP -> count;
      case SIGNING_WHILE_UNWRAPPING -> OneThreadBesideUnwrapping.KEYS_UNWRAPPED;
      case GENERATION, WRAP_AND_SAVE, TRANSFER, WHOLE_SIGNING, THREADS -> 0;
    };
  }

  /** Warms up Java, the database and the module; one key signs. */
  public void warmUp() {
    standIns().next(WARM_UP_ROWS).forEach(standInStore::add);
    standInStore.discard(
        standInStore.claim(KeyStock.SPEC, WARM_UP_ROWS).stream().map(StoredKey::id).toList());
    var _ = store.add(stock.makeOne());
    List<StoredKey> one = stock.claim(1);
    for (int i = 0; i < WARM_UP_UNWRAPS; i++) {
      var _ = device.destroy(device.unwrap(one.getFirst().key()));
    }
    stock.putBack(one);
    var keys = stock.load(1);
    signing.warmUp(device, keys.getFirst(), WARM_UP_CERTIFICATES);
    stock.settle(keys);
  }

  /** Destroys the remaining keys, empties the database, and returns what became of all keys. */
  public KeyBalance settle() {
    device.destroyAll();
    database.forgetKeys();
    return new KeyBalance(
        device.made(),
        device.destroyed(),
        liveBefore,
        device.countLiveKeys(),
        database.countKeys());
  }

  /** Ends the sessions and thus all their keys; removes the database without a trace. */
  @Override
  public void close() throws IOException {
    try {
      device.close();
    } finally {
      database.close();
    }
  }
}
