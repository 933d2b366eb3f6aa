package org.keywell.rest.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.ProfileSettings;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.ThrowAwayCa;
import org.keywell.identity.ProofVerifiers;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;
import org.keywell.settings.SignProperties;
import org.keywell.signing.record.RehearsedRecords;
import org.keywell.signing.sign.ProfileChoice;
import org.keywell.signing.sign.RequestIntake;
import org.keywell.signing.sign.SignerIdentities;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.Sql;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;

/** The real way from JSON to JSON on a real database; the device has faults. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@Tag("postgresql")
final class WarmUpTest {

  /** It ends before, where a test has it end. */
  private static final Duration LONG = Duration.ofMinutes(5);

  private static final Duration SHORT = Duration.ofSeconds(2);

  private static final HikariDataSource database =
      PostgresForTests.newDatabase().asService().dataSource();

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private final PoolRig device =
      new PoolRig(
          new PoolLimits(SPEC, 0, 1000, 1000, 1000),
          new PoolLimits(KeySpec.EC_P384, 0, 1000, 1000, 1000));
  private volatile BooleanSupplier toBeEnded = () -> false;
  private volatile Optional<String> obstacle = Optional.empty();

  @AfterAll
  static void stopDatabase() {
    database.close();
  }

  @AfterEach
  void heal() {
    device.hsm.faults().healAll();
  }

  private WarmUp warmUp(Duration limit) {
    return new WarmUp(
        limit,
        device.pools,
        () -> obstacle,
        WarmUpTest::rehearsal,
        () -> toBeEnded.getAsBoolean(),
        System::nanoTime);
  }

  private static Rehearsal rehearsal() {
    SecureRandom random = new SecureRandom();
    InstantSource clock = InstantSource.system();
    CertificateProfiles profiles = CertificateProfiles.ofStandard(ProfileSettings.defaults());
    return new Rehearsal(
        new SignRequestParser(
            new RequestIntake(
                new SignProperties(
                    1,
                    150,
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(60),
                    DataSize.ofKilobytes(16),
                    10,
                    false),
                SPEC::equals,
                new ProfileChoice(profiles, false),
                new SignerIdentities(new ProofVerifiers(Map.of(), 100, 1), clock))),
        new BouncyCastleCertificateAuthority(
            ThrowAwayCa.inMemory(Subject.ofCommonName("test"), clock.instant(), random),
            profiles,
            SigningLimits.defaults(),
            clock,
            random),
        new RehearsedRecords(
            database,
            new JdbcWrappedKeyStore(database, "warm-up", "wrapping"),
            "warm-up",
            "pooled"),
        JsonMapper.shared(),
        clock,
        System::nanoTime,
        random);
  }

  /** Loads a key, as the loader does. */
  private void load() {
    LiveKeyPair pair = device.hsm.generateExtractable(SPEC);
    WrappedKey wrapped = device.hsm.wrap(pair);
    device.hsm.destroy(pair.privateKey());
    device.load(new StoredKey(1, wrapped));
  }

  private static String traces() throws SQLException {
    return String.join(
        " ",
        new Sql(database)
            .texts(
                """
                SELECT (SELECT count(*) FROM sign_request) || ' ' ||
                  (SELECT count(*) FROM ca_chain) || ' ' ||
                  (SELECT coalesce(sum(keys), 0) FROM key_ledger)
                """));
  }

  @Test
  void requestsAreRehearsedAndNothingOfThemIsLeft() throws Exception {
    String before = traces();
    load();
    long made = device.hsm.faults().calls(Operation.GENERATE);

    WarmUp warmUp = warmUp(LONG);
    toBeEnded = () -> warmUp.rehearsed() > 0;
    warmUp.rehearse();

    assertThat(warmUp.rehearsed()).isPositive();
    assertThat(traces()).isEqualTo(before);
    assertThat(device.pools.depth(SPEC).loaded()).as("keys of the pool").isEqualTo(1);
    // The thread may just be at its next turn, with a key of the next kind.
    await().until(() -> device.hsm.countLiveKeys() == 1);
    assertThat(device.hsm.faults().calls(Operation.GENERATE) - made)
        .as("one for each kind at the most")
        .isBetween(1L, (long) device.pools.config().specs().size());
  }

  @Test
  void withoutTimeNothingIsAsked() throws Exception {
    WarmUp warmUp = warmUp(Duration.ZERO);
    warmUp.rehearse();

    assertThat(warmUp.rehearsed()).isZero();

    assertThat(device.hsm.faults().calls(Operation.GENERATE)).isZero();
  }

  @Test
  void itEndsAtOnceWhenTheProcessIsToEnd() throws Exception {
    toBeEnded = () -> true;

    warmUp(LONG).rehearse();
  }

  @Test
  void aDeviceThatHangsIsLeftBehind() throws Exception {
    device.hsm.faults().hang(Operation.SIGN);

    WarmUp warmUp = warmUp(SHORT);
    warmUp.rehearse();

    assertThat(warmUp.rehearsed()).isZero();
  }

  @Test
  void aDeviceThatFailsEndsIt(CapturedOutput output) throws Exception {
    device.hsm.faults().fail(Operation.SIGN, Reason.UNAVAILABLE);

    WarmUp warmUp = warmUp(LONG);
    warmUp.rehearse();

    assertThat(warmUp.rehearsed()).isZero();

    assertThat(output).contains("warm-up ended early, after 0 requests");
    assertThat(device.hsm.countLiveKeys()).as("live keys").isZero();
  }

  @Test
  void whatCannotSignIsNotAsked(CapturedOutput output) throws Exception {
    obstacle = Optional.of("the HSM fails");

    WarmUp warmUp = warmUp(LONG);
    warmUp.rehearse();

    assertThat(warmUp.rehearsed()).isZero();

    assertThat(output).contains("the HSM fails");
    assertThat(device.hsm.faults().calls(Operation.GENERATE)).isZero();
  }
}
