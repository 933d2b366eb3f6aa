package org.keywell.rest.rehearsal;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.token.ThrowAwayCa;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.store.JdbcWrappedKeyStore;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.RehearsedRecords;
import org.keywell.signing.sign.SigningGate;
import org.keywell.signing.start.EndSignal;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The rehearsal before the service is ready, with the service's own parts where possible. */
@Configuration(proxyBeanMethods = false)
public class WarmUpConfiguration {

  private static final Subject NAME = Subject.ofCommonName("Keywell warm-up, not to be trusted");

  @Bean
  WarmUp warmUp(
      KeywellProperties properties,
      KeyPools pools,
      SigningGate gate,
      RecordWriter writer,
      SignRequestParser parser,
      CertificateProfiles profiles,
      @Qualifier(OwnedDatabaseConfiguration.RECORDS) DataSource dataSource,
      JdbcWrappedKeyStore keys,
      JsonMapper json,
      InstantSource clock,
      LongSupplier nanoClock,
      ObjectProvider<EndSignal> end) {
    EndSignal signal = end.getIfAvailable(EndSignal::new);
    return new WarmUp(
        properties.warmUp(),
        pools,
        () -> writer.isStuck() ? Optional.of("the database takes no records") : gate.deviceFault(),
        () -> {
          SecureRandom random = new SecureRandom();
          return new Rehearsal(
              parser,
              new BouncyCastleCertificateAuthority(
                  ThrowAwayCa.inMemory(NAME, clock.instant(), random),
                  profiles,
                  properties.ca().signingLimits(),
                  clock,
                  random),
              new RehearsedRecords(
                  dataSource, keys, properties.instance(), properties.pool().mode().label()),
              json,
              clock,
              nanoClock,
              random);
        },
        signal::isRaised,
        nanoClock);
  }
}
