package org.keywell.service.kmip;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.time.Clock;
import java.util.Objects;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.pkcs11.ManagedKeys;
import org.keywell.keypool.log.LogPace;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.operation.Custody;
import org.keywell.kmip.operation.ExportPolicy;
import org.keywell.kmip.operation.KmipCaller;
import org.keywell.kmip.operation.Operations;
import org.keywell.kmip.server.KmipServer;
import org.keywell.kmip.server.KmipServerConfig;
import org.keywell.kmip.store.ObjectStore;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.operations.kmip.KmipView;
import org.keywell.operations.metrics.KmipMetricsConfiguration;
import org.keywell.rest.http.Handshakes;
import org.keywell.rest.tls.Lookups;
import org.keywell.rest.tls.Revocation;
import org.keywell.rest.tls.RevocationConfiguration;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.KmipProperties;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.database.DatabaseConfiguration;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.hsm.HsmTimes;
import org.keywell.signing.hsm.ManagedToken;
import org.keywell.signing.pool.TokenMarks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The way in over KMIP, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Conditional(KmipEnabled.class)
@Import(KmipMetricsConfiguration.class)
public class KmipConfiguration {

  private static final Logger log = LoggerFactory.getLogger(KmipConfiguration.class);

  /** A stop has further steps, and each has its share of the time. */
  private static final int SHARE_OF_STOP = 6;

  /** Apart from those of signing, so that clients here keep nobody there waiting. */
  @Bean(destroyMethod = "close")
  HikariDataSource kmipConnections(
      DatabaseServer server,
      DataSource migrated,
      KeywellProperties properties,
      TimelineGuard guard) {
    return DatabaseConfiguration.connections(
        "keywell-kmip",
        properties.kmip().databaseConnections(),
        server.access(),
        properties,
        guard);
  }

  @Bean(destroyMethod = "")
  ManagedPairs managedPairs(
      KeywellProperties properties,
      ManagedToken token,
      KeyPools signing,
      HsmTimes times,
      TokenMarks marks,
      LongSupplier nanoClock,
      @Qualifier("kmipConnections") DataSource dataSource) {
    Hsm hsm = times.of(token.pkcs11());
    JdbcWrappedKeyStore store =
        new JdbcWrappedKeyStore(
            dataSource,
            properties.instance(),
            hsm.wrappingKeyId(),
            marks.ofManaged(token.device().name(), hsm));
    ManagedKeys keys = token.pkcs11().managedKeys();
    return ManagedPairs.of(properties, signing, hsm, keys::proves, store, nanoClock);
  }

  @Bean
  RequestProcessor<KmipCaller> kmipRequests(
      KeywellProperties properties,
      ManagedToken token,
      ManagedPairs pairs,
      AnswerListener listener,
      @Qualifier("kmipConnections") DataSource dataSource,
      ObjectProvider<BuildProperties> build) {
    KmipProperties kmip = properties.kmip();
    Custody custody =
        new Custody(
            new ObjectStore(dataSource, properties.instance()),
            pairs.hsm(),
            token.pkcs11().managedKeys(),
            pairs.ready(),
            new ExportPolicy(kmip.privateKeysLeave(), kmip.clearKeysLeave()),
            Clock.systemUTC());
    TtlvLimits standard = TtlvLimits.STANDARD;
    LogPace pace = new LogPace(System::nanoTime);
    return new RequestProcessor<>(
        new TtlvLimits(
            (int) properties.kmip().maxMessage().toBytes(), standard.depth(), standard.items()),
        MessageLimits.STANDARD,
        new OperationRegistry<>(Operations.of(custody), description(build.getIfAvailable())),
        Clock.systemUTC(),
        failure -> {
          long told = pace.due(1);
          if (told > 0) {
            log.error("KMIP operations that failed: {}; the last:", told, failure);
          }
        },
        listener);
  }

  private static ServerDescription description(@Nullable BuildProperties build) {
    String version = build == null ? null : build.getVersion();
    return new ServerDescription(
        "Keywell", version == null ? "unknown" : version, Operations.OBJECT_TYPES);
  }

  @Bean
  KmipView kmipView(KmipDoor door, ManagedPairs pairs) {
    return new KmipView(door.server().listener(), pairs.ready(), pairs.pools(), pairs.depths());
  }

  @Bean
  KmipDoor kmipDoor(
      KeywellProperties all,
      SslBundles bundles,
      Revocation revocation,
      CallerRegister register,
      CallerRates rates,
      Handshakes handshakes,
      ManagedPairs pairs,
      RequestProcessor<KmipCaller> requests)
      throws IOException {
    KmipProperties kmip = all.kmip();
    String bundle = Objects.requireNonNull(kmip.bundle(), "keywell.kmip.bundle");
    KmipTls tls = new KmipTls(bundle, bundles);
    Lookups lookups = new Lookups(all.security().revocation().timeLimit());
    KmipCallers callers =
        new KmipCallers(
            RevocationConfiguration.certificates(
                "keywell.kmip", kmip.address(), bundle, bundles, revocation, lookups),
            register,
            rates);
    KmipServerConfig config =
        new KmipServerConfig(
            kmip.address(),
            kmip.port(),
            kmip.maxConnections(),
            kmip.messageTimeout(),
            kmip.idleTimeout(),
            kmip.messageTimeout(),
            (int) kmip.maxMessage().toBytes(),
            tls.protocols(),
            tls.suites(),
            TlsRules.GROUPS);
    return new KmipDoor(
        kmip,
        new KmipServer<>(
            config,
            tls,
            (address, limit) -> handshakes.turn(address, limit)::close,
            callers,
            requests),
        pairs,
        lookups,
        all.stopLimit().dividedBy(SHARE_OF_STOP));
  }
}
