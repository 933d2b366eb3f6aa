package org.keywell.signing.lifecycle;

import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.database.ExpectedKeys;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyUses;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.hsm.ManagedToken;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.pool.LostKeys;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What starts and stops with the service: requests, keys, and the threads that watch over them. */
@Configuration(proxyBeanMethods = false)
@Import({
  Leftovers.class,
  RestoredDatabase.class,
  AdoptionWatch.class,
  Signing.class,
  LateDevices.class,
  Watches.class,
  ServiceLifecycle.class
})
public class LifecycleConfiguration {

  @Bean
  LostKeys lostKeys(
      Devices devices,
      IssuingCas cas,
      ObjectProvider<ManagedToken> managed,
      SigningLog log,
      DataSource dataSource,
      KeywellProperties properties,
      InstantSource clock) {
    return new LostKeys(
        () ->
            LostKeys.Present.of(
                devices,
                cas.certificates(),
                Optional.ofNullable(managed.getIfAvailable()),
                log.tokenKeys()),
        new ExpectedKeys(dataSource),
        new WrappingKeyUses(dataSource),
        new WrappingKeyRotations(dataSource),
        properties.instance(),
        new LostKeys.Told(
            properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING,
            properties.hsm().acceptLostKeys()),
        clock);
  }
}
