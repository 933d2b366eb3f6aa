package org.keywell.service.xks;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.security.auth.x500.X500Principal;
import javax.sql.DataSource;
import org.keywell.ca.issuance.ExactName;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.listener.ListenerConfig;
import org.keywell.listener.TlsListener;
import org.keywell.listener.http.HttpProtocol;
import org.keywell.operations.metrics.XksMetricsConfiguration;
import org.keywell.operations.xks.XksView;
import org.keywell.rest.http.Handshakes;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.keywell.settings.XksProperties;
import org.keywell.signing.database.DatabaseConfiguration;
import org.keywell.signing.database.DatabaseServer;
import org.keywell.signing.database.RunningInstances;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.OpenDevice;
import org.keywell.xks.api.AnswerListener;
import org.keywell.xks.api.XksApi;
import org.keywell.xks.auth.CredentialsFile;
import org.keywell.xks.auth.SignatureCheck;
import org.keywell.xks.hsm.KeyHsm;
import org.keywell.xks.hsm.KeyHsms;
import org.keywell.xks.store.XksKeys;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The external key store, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Conditional(XksEnabled.class)
@Import(XksMetricsConfiguration.class)
public class XksConfiguration {

  /** A stop has further steps, and each has its share of the time. */
  private static final int SHARE_OF_STOP = 6;

  /** The most of {@code keywell.warm-up} that is spent here. */
  private static final Duration REHEARSAL = Duration.ofSeconds(1);

  /** The specification's largest values in Base64, and texts about them. */
  private static final int MAX_BODY_BYTES = 64 * 1024;

  /** Apart from those of signing, so that clients here keep nobody there waiting. */
  @Bean(destroyMethod = "close")
  HikariDataSource xksConnections(
      DatabaseServer server,
      DataSource migrated,
      KeywellProperties properties,
      TimelineGuard guard) {
    return DatabaseConfiguration.connections(
        "keywell-xks", properties.xks().databaseConnections(), server.access(), properties, guard);
  }

  @Bean
  XksApi xksApi(
      KeywellProperties all,
      CredentialsFile credentials,
      KeyHsms hsms,
      AnswerListener listener,
      @Qualifier("xksConnections") DataSource dataSource,
      ObjectProvider<BuildProperties> build) {
    XksProperties xks = all.xks();
    return new XksApi(
        xks.pathPrefix(),
        new SignatureCheck(credentials, Clock.systemUTC()),
        new XksKeys(dataSource, all.instance()),
        hsms,
        Optional.ofNullable(build.getIfAvailable())
            .map(BuildProperties::getVersion)
            .orElse("unknown"),
        new RunningInstances(dataSource)::count,
        xks.maxConcurrent(),
        xks.deadline(),
        listener);
  }

  @Bean
  CredentialsFile xksCredentials(KeywellProperties all) {
    Path file = Objects.requireNonNull(all.xks().credentialsFile(), "keywell.xks.credentials-file");
    try {
      return new CredentialsFile(file, System::nanoTime);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException("keywell.xks.credentials-file: " + e.getMessage(), e);
    }
  }

  /** Those that are open, which may become more. */
  @Bean
  KeyHsms xksHsms(KeywellProperties all, Devices devices) {
    int callsPerHsm = all.xks().callsPerHsm();
    Map<Pkcs11Hsm, KeyHsm> known = new ConcurrentHashMap<>();
    return new KeyHsms(() ->
        devices.all().stream()
            .map(device -> known.computeIfAbsent(device.pkcs11(), _ -> of(device, callsPerHsm)))
            .toList());
  }

  private static KeyHsm of(OpenDevice device, int callsPerHsm) {
    Pkcs11Hsm pkcs11 = device.pkcs11();
    return new KeyHsm(
        device.name(),
        pkcs11.model(),
        pkcs11::failsToEncrypt,
        pkcs11.tokenAesKeys(),
        new Semaphore(callsPerHsm));
  }

  @Bean
  XksView xksView(KeywellProperties all, XksDoor door, CredentialsFile credentials, KeyHsms hsms) {
    return new XksView(
        door.listener(),
        credentials,
        hsms,
        all.xks().callsPerHsm(),
        all.hsm().devices().stream().map(DeviceProperties::name).toList());
  }

  @Bean
  XksDoor xksDoor(KeywellProperties all, SslBundles bundles, Handshakes handshakes, XksApi api)
      throws IOException {
    XksProperties xks = all.xks();
    ExactName client =
        xks.clientSubject() == null
            ? null
            : ExactName.of(new X500Principal(xks.clientSubject())).orElseThrow();
    ListenerConfig config =
        new ListenerConfig(
            "XKS",
            xks.address(),
            xks.port(),
            xks.maxConnections(),
            xks.messageTimeout(),
            client != null,
            TlsRules.VERSIONS,
            TlsRules.CIPHERS,
            TlsRules.GROUPS);
    return new XksDoor(
        xks,
        new TlsListener(
            config,
            new XksTls(Objects.requireNonNull(xks.bundle(), "keywell.xks.bundle"), client, bundles),
            (address, limit) -> handshakes.turn(address, limit)::close,
            new HttpProtocol(
                api,
                api::malformed,
                api.late(),
                api::answered,
                xks.idleTimeout(),
                xks.messageTimeout(),
                xks.deadline(),
                MAX_BODY_BYTES)),
        () -> api.rehearse(all.warmUp().compareTo(REHEARSAL) < 0 ? all.warmUp() : REHEARSAL),
        all.stopLimit().dividedBy(SHARE_OF_STOP));
  }
}
