package org.keywell.kmip.operation;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.testkit.PostgresForTests;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

/** A key manager on SoftHSM and PostgreSQL, without a network. */
public final class KeyManager implements AutoCloseable {

  public static final KmipCaller ALICE = new KmipCaller("alice", true, true);
  public static final KmipCaller BOB = new KmipCaller("bob", true, false);

  final Pkcs11Hsm hsm;
  final JdbcWrappedKeyStore pool;
  final ReadyPairs pairs;
  final ObjectStore objects;
  final HikariDataSource dataSource;
  final PostgresForTests.Database database;
  final List<RuntimeException> unexpected = new ArrayList<>();
  private final InstantSource clock;

  public KeyManager(InstantSource clock) {
    this.clock = clock;
    String label = "kmip-" + UUID.randomUUID().toString().substring(0, 18);
    Pkcs11Config config =
        new Pkcs11Config(SoftHsm2.module(), label, "keywell-managed", Optional.empty(), 8);
    char[] digits = RandomPin.characters();
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = Pin.of(digits.clone())) {
      TokenBootstrap.ensureToken(config, soPin, pin);
      TokenBootstrap.ensureManagedWrappingKey(config, pin);
    }
    hsm = Pkcs11Hsm.open(config, () -> Pin.of(digits.clone()));
    database = PostgresForTests.newDatabase();
    dataSource = database.asService().dataSource();
    pool = new JdbcWrappedKeyStore(dataSource, "test", hsm.wrappingKeyId());
    pairs =
        new ReadyPairs(
            pool, Set.of(KeySpec.RSA_2048), hsm, hsm.managedKeys()::proves, Duration.ofSeconds(10));
    objects = new ObjectStore(dataSource, "test");
  }

  /** Returns what answers requests, under a policy. */
  public RequestProcessor<KmipCaller> processor(ExportPolicy policy) {
    Custody custody = new Custody(objects, hsm, hsm.managedKeys(), pairs, policy, clock);
    return new RequestProcessor<>(
        TtlvLimits.STANDARD,
        MessageLimits.STANDARD,
        new OperationRegistry<>(
            Operations.of(custody),
            new ServerDescription("Keywell", "test", Operations.OBJECT_TYPES)),
        clock,
        unexpected::add,
        AnswerListener.NONE);
  }

  @Override
  public void close() {
    pairs.close();
    hsm.close();
    dataSource.close();
  }
}
