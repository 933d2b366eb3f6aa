package org.keywell.service.kmip;

import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.log.LogPace;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.operation.KmipCaller;
import org.keywell.kmip.server.KmipServer;
import org.keywell.kmip.server.KmipServerConfig;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.rest.tls.Lookups;
import org.keywell.rest.tls.Revocation;
import org.keywell.rest.tls.RevocationConfiguration;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.KmipProperties;
import org.keywell.signing.caller.CallerRegister;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The way in over KMIP, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Conditional(KmipEnabled.class)
public class KmipConfiguration {

  private static final Logger log = LoggerFactory.getLogger(KmipConfiguration.class);

  /** A stop has further steps, and each has its share of the time. */
  private static final int SHARE_OF_STOP = 6;

  @Bean
  RequestProcessor<KmipCaller> kmipRequests(
      KeywellProperties properties, ObjectProvider<BuildProperties> build) {
    TtlvLimits standard = TtlvLimits.STANDARD;
    LogPace pace = new LogPace(System::nanoTime);
    return new RequestProcessor<>(
        new TtlvLimits(
            (int) properties.kmip().maxMessage().toBytes(), standard.depth(), standard.items()),
        MessageLimits.STANDARD,
        new OperationRegistry<>(operations(), description(build.getIfAvailable())),
        Clock.systemUTC(),
        failure -> {
          long told = pace.due(1);
          if (told > 0) {
            log.error("KMIP operations that failed: {}; the last:", told, failure);
          }
        });
  }

  /** Returns what is offered besides {@code Query} and {@code DiscoverVersions}, by name. */
  private static Map<String, OperationHandler<KmipCaller>> operations() {
    return Map.of();
  }

  private static ServerDescription description(@Nullable BuildProperties build) {
    String version = build == null ? null : build.getVersion();
    return new ServerDescription("Keywell", version == null ? "unknown" : version, List.of());
  }

  @Bean
  KmipDoor kmipDoor(
      KeywellProperties all,
      SslBundles bundles,
      Revocation revocation,
      CallerRegister register,
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
            register);
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
            tls.suites());
    return new KmipDoor(
        kmip,
        new KmipServer<>(config, tls, callers, requests),
        lookups,
        all.stopLimit().dividedBy(SHARE_OF_STOP));
  }
}
