package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.KeyLedger;
import org.keywell.keypool.store.PoolMarks;
import org.keywell.settings.StartRefusedException;
import org.keywell.signing.BoundSettings;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.Rotation.Step;
import org.keywell.signing.database.RunningInstances;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUse.Kind;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.PostgresForTests;

/** Rotation in two tokens of two modules, with and without an instance that runs. */
@Tag("softhsm")
@Tag("postgresql")
@Timeout(120)
final class WrappingKeyRotationTest {

  private static final String LABEL = "shared";
  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_DEVICE_REMOVED = 0x32;

  private final FaultyModule module;
  private final SoftHsmToken east = SoftHsmToken.create();
  private final SoftHsmToken west;
  private final HikariDataSource dataSource =
      PostgresForTests.newDatabase().asService().dataSource();
  private final WrappingKeyRotations rotations = new WrappingKeyRotations(dataSource);
  private final WrappingKeyUses uses = new WrappingKeyUses(dataSource);
  private final List<String> waited = new ArrayList<>();
  private final List<String> did = new ArrayList<>();
  private final String old;

  WrappingKeyRotationTest(@TempDir Path directory) {
    module = FaultyModule.create(directory);
    west = SoftHsmToken.create(module.path());
    var _ = new TokenPreparation(tokens()).ensure();
    old = ids(east).getFirst();
  }

  @BeforeEach
  void shares() {
    assertThat(ids(west)).containsExactly(old);
  }

  @AfterEach
  void close() {
    module.close();
    dataSource.close();
  }

  private List<TokenAccess> tokens() {
    return TokenAccess.all(
        BoundSettings.of(
                "keywell.hsm.wrapping-key-label=" + LABEL,
                "keywell.hsm.devices[0].name=east",
                "keywell.hsm.devices[0].module=" + east.config().module(),
                "keywell.hsm.devices[0].token-label=" + east.config().tokenLabel(),
                "keywell.hsm.devices[0].pin=" + new String(east.pinCharacters()),
                "keywell.hsm.devices[1].name=west",
                "keywell.hsm.devices[1].module=" + west.config().module(),
                "keywell.hsm.devices[1].token-label=" + west.config().tokenLabel(),
                "keywell.hsm.devices[1].pin=" + new String(west.pinCharacters()))
            .hsm());
  }

  private static Pkcs11Config config(SoftHsmToken token) {
    return token.config().withWrappingKeyLabel(LABEL);
  }

  private static WrappingKeyGenerations.Found found(SoftHsmToken token) {
    try (Pin pin = token.pin()) {
      return WrappingKeyGenerations.find(config(token), pin);
    }
  }

  private static List<String> ids(SoftHsmToken token) {
    return found(token).ids();
  }

  private boolean rotate(boolean now, BooleanSupplier pause) {
    return new WrappingKeyRotation(
            rotations,
            uses,
            new VanishedInstances(dataSource, "command"),
            new RunningInstances(dataSource),
            new PoolMarks(dataSource, "command"),
            new WrappingKeyRotation.Told(waited::add, did::add, pause, () -> Instant.EPOCH))
        .run(tokens(), null, now);
  }

  private boolean rotate() {
    return rotate(false, () -> false);
  }

  /** Stores keys under the newest wrapping key of a token; returns the last. */
  private WrappedKey store(SoftHsmToken token, int keys) {
    try (Pkcs11Hsm hsm = token.open(config(token))) {
      JdbcWrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "i", hsm.wrappingKeyId());
      @Nullable WrappedKey wrapped = null;
      for (int i = 0; i < keys; i++) {
        LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
        wrapped = hsm.wrap(pair);
        var _ = hsm.destroy(pair.privateKey());
        store.add(wrapped);
      }
      return Objects.requireNonNull(wrapped);
    }
  }

  private static void assertUnwrapsNowhere(WrappedKey key, SoftHsmToken... tokens) {
    for (SoftHsmToken token : tokens) {
      try (Pkcs11Hsm hsm = token.open(config(token))) {
        WrappedKey asIfOfTheNew =
            new WrappedKey(
                key.spec(),
                hsm.wrappingKeyId(),
                key.wrapMechanism(),
                key.publicKey(),
                key.wrappedPrivateKey());
        for (WrappedKey each : List.of(key, asIfOfTheNew)) {
          assertThatExceptionOfType(HsmException.class)
              .isThrownBy(() -> hsm.unwrap(each))
              .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.WRAPPED_KEY_INVALID));
        }
      }
    }
  }

  private void assertDone(String next) {
    assertThat(ids(east)).containsExactly(next);
    assertThat(ids(west)).containsExactly(next);
    assertThat(rotations.all()).contains(new Rotation(old, next, Step.DONE));
    assertThat(new KeyLedger(dataSource).balances()).allMatch(balance -> balance.difference() == 0);
  }

  @Test
  void withNobodyRunningItIsDoneAtOnce() {
    assertThat(rotate()).isTrue();

    String next = ids(east).getFirst();
    assertThat(next).startsWith(LABEL + "~2:");
    assertDone(next);
    assertThat(did)
        .containsExactly(
            "created: wrapping key " + next + ", in east and west",
            "wraps from now on: wrapping key " + next,
            "destroyed: wrapping key " + old + ", in east and west");
    assertThat(store(west, 1).wrappingKeyId()).isEqualTo(next);
    assertThat(new TokenPreparation(tokens()).ensure())
        .as("bootstrap finds it")
        .allMatch(line -> line.startsWith("exists:  wrapping key " + next));
  }

  @Test
  void itWaitsForTheUseOfWhatIsStored() {
    WrappedKey saved = store(east, 3);

    assertThat(rotate()).as("ended while it waited").isFalse();
    assertThat(waited.getLast())
        .startsWith("waiting for the use of what is under " + old + ": 3 stored, 0 claimed; 0 ");
    assertThat(ids(east)).hasSize(2);
    store(west, 2);

    JdbcWrappedKeyStore store = new JdbcWrappedKeyStore(dataSource, "i", old);
    List<Long> claimed = store.claim(KeySpec.EC_P256, 3).stream().map(key -> key.id()).toList();
    assertThat(rotate()).isFalse();
    assertThat(waited.getLast()).contains("0 stored, 3 claimed; 2 stored under " + LABEL + "~2:");
    store.discard(claimed);
    assertThat(rotate()).isTrue();

    assertDone(ids(east).getFirst());
    assertUnwrapsNowhere(saved, east, west);
    assertThat(did.stream().filter(line -> line.startsWith("created"))).hasSize(1);
    assertThat(
            new JdbcWrappedKeyStore(dataSource, "i", ids(east).getFirst()).count(KeySpec.EC_P256))
        .isEqualTo(2);
  }

  @Test
  void nowDiscardsWhatIsStored() {
    WrappedKey saved = store(east, 3);

    assertThat(rotate(true, () -> false)).isTrue();

    assertDone(ids(east).getFirst());
    assertUnwrapsNowhere(saved, east, west);
    assertThat(did).contains("discarded: 3 keys stored under " + old);
    assertThat(new KeyLedger(dataSource).balances())
        .singleElement()
        .satisfies(balance -> assertThat(balance.discarded()).isEqualTo(3));
  }

  @Test
  void withATokenAwayNothingIsMade() {
    module.gone(CKR_DEVICE_REMOVED);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(this::rotate)
        .withMessageStartingWith("every HSM that shares the wrapping key takes part")
        .withMessageContaining("device west: ");

    module.back();
    assertThat(ids(east)).containsExactly(old);
    assertThat(rotations.all()).isEmpty();
    assertThat(rotate()).isTrue();
    assertDone(ids(east).getFirst());
  }

  @Test
  void aTokenThatDoesNotDestroyItIsToldAndTriedAgain() {
    store(east, 1);
    // While it waits, the transport keys of the making are gone.
    assertThat(rotate()).isFalse();
    module.inject("C_DestroyObject", Fault.returning(CKR_DEVICE_ERROR));

    assertThat(rotate(true, () -> false)).isFalse();
    assertThat(waited.getLast()).contains("wrapping key " + old + " is not destroyed in west: ");
    assertThat(ids(east)).hasSize(1);
    module.clear("C_DestroyObject");
    assertThat(ids(west)).hasSize(2);

    assertThat(rotate()).isTrue();
    assertDone(ids(east).getFirst());
  }

  @Test
  void aTokenThatIsAwayWhenItIsToDestroyItIsWaitedFor() {
    store(east, 1);
    AtomicInteger pauses = new AtomicInteger();

    assertThat(
            rotate(
                false,
                () -> {
                  if (pauses.incrementAndGet() == 1) {
                    new PoolMarks(dataSource, "command").discardAll(old);
                    module.gone(CKR_DEVICE_REMOVED);
                  } else {
                    module.back();
                  }
                  return true;
                }))
        .isTrue();

    assertThat(pauses).hasValue(2);
    assertThat(waited.getLast()).contains("an HSM that is away").contains("device west: ");
    assertThat(did.getLast()).isEqualTo("destroyed: wrapping key " + old + ", in east and west");
    assertDone(ids(east).getFirst());
  }

  /** As a kill leaves it before the key is in the second token. */
  @Test
  void aKeyThatOnlyOneTokenGotIsMadeAgain() {
    rotations.note(new Rotation(old, LABEL + "~2", Step.MAKING));
    var _ = east.addWrappingKey(LABEL + "~2");
    String partial = ids(east).getLast();

    assertThat(rotate()).isTrue();

    assertThat(ids(east)).doesNotContain(partial);
    assertDone(ids(east).getFirst());
  }

  /** A row in the database must not be enough to have the only wrapping key destroyed. */
  @Test
  void whatTheDatabaseSaysLeavesNoTokenWithoutAKey() {
    for (Step step : List.of(Step.DONE, Step.WITHDRAWN)) {
      rotations.note(new Rotation(old, LABEL + "~2:0f", step));

      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(this::rotate)
          .withMessageContaining("has no wrapping key that follows " + old);
    }
    assertThat(ids(east)).containsExactly(old);
  }

  @Test
  void aTokenThatWasAwayForAWholeRotationLosesTheOldKeyLater() {
    var _ = east.addWrappingKey(LABEL + "~2");
    var _ = west.addWrappingKey(LABEL + "~2");
    rotations.note(new Rotation(old, ids(east).getLast(), Step.DONE));

    assertThat(rotate()).isTrue();

    assertThat(ids(east)).hasSize(1).doesNotContain(old);
    assertThat(ids(west)).hasSize(1).doesNotContain(old);
    assertThat(rotations.all()).as("no other is begun").hasSize(1);
  }

  /** As ./keywell hsm leaves it half done. */
  @Test
  void aKeyThatWasCarriedToOneTokenOnlyIsNotTouched() {
    var _ = east.addWrappingKey(LABEL + "~2");

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(this::rotate)
        .withMessageContaining("is not in west: carry it there by ./keywell hsm");
    assertThat(ids(east)).hasSize(2);
    assertThat(rotations.all()).isEmpty();
  }

  private void report(String token, String id, Kind kind, String next, Kind nextKind) {
    List<WrappingKeyUse> all = new ArrayList<>();
    all.add(new WrappingKeyUse("running", "hsm", token, id, kind));
    if (!next.isEmpty()) {
      all.add(new WrappingKeyUse("running", "hsm", token, next, nextKind));
    }
    uses.report("running", all);
  }

  @Test
  void noStepIsTakenBeforeARunningInstanceHasFollowed() throws Exception {
    String token = found(east).tokenId();
    try (InstanceLock _ = InstanceLock.acquire(dataSource, "running")) {
      assertThat(rotate()).isFalse();
      assertThat(waited.getLast()).contains("1 missing");
      assertThat(rotations.all()).isEmpty();

      report(token, old, Kind.WRAPS, "", Kind.WRAPS);
      assertThat(rotate()).isFalse();
      String next = ids(east).getLast();
      assertThat(waited.getLast()).isEqualTo("waiting for running (HSM hsm) to find " + next);
      assertThat(rotations.all()).containsExactly(new Rotation(old, next, Step.OFFERED));

      report(token, old, Kind.WRAPS, next, Kind.UNWRAPS);
      assertThat(rotate()).isFalse();
      assertThat(waited.getLast()).isEqualTo("waiting for running (HSM hsm) to wrap with " + next);

      report(token, old, Kind.UNWRAPS, next, Kind.WRAPS);
      assertThat(rotate()).isFalse();
      assertThat(waited.getLast()).isEqualTo("waiting for running (HSM hsm) to give up " + old);
      assertThat(ids(east)).as("it may still unwrap").contains(old);

      report(token, old, Kind.WITHDRAWN, next, Kind.WRAPS);
      assertThat(rotate()).isTrue();
      assertDone(next);
    }
  }

  @Test
  void aTokenThatOnlyAnotherInstanceReachesIsToldBeforeAnythingIsMade() throws Exception {
    try (InstanceLock _ = InstanceLock.acquire(dataSource, "running")) {
      report("another token", old, Kind.WRAPS, "", Kind.WRAPS);

      assertThatExceptionOfType(StartRefusedException.class)
          .isThrownBy(this::rotate)
          .withMessageContaining("also in tokens that are not this instance's: running (HSM hsm)")
          .withMessageContaining("./keywell hsm enrol --label 'shared~2'");
      assertThat(ids(east)).containsExactly(old);
    }
  }

  @Test
  void devicesWithDifferentKeysAreTakenOneByOne() {
    try (Pin pin = west.pin()) {
      var _ = WrappingKeyGenerations.destroy(config(west), pin, old);
    }
    var _ = west.addWrappingKey(LABEL);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(this::rotate)
        .withMessageContaining("name one that has the key by --device");
  }

  @Test
  void theStatusNamesWhatThereIs() {
    store(east, 3);
    assertThat(rotate()).isFalse();
    String next = ids(east).getLast();

    List<String> lines =
        new RotationStatus(
                rotations,
                uses,
                new VanishedInstances(dataSource, "command"),
                new RunningInstances(dataSource))
            .lines(tokens());

    assertThat(lines)
        .containsExactly(
            next + " follows " + old + ": switched",
            "HSM east has " + old + " and " + next,
            "HSM west has " + old + " and " + next,
            old + ": 3 keys stored, 0 claimed",
            next + ": 0 keys stored, 0 claimed");
  }
}
