package org.keywell.service.ca;

import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.service.hsm.Devices;
import org.keywell.service.settings.HsmProperties;
import org.keywell.service.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The CAs, each with its key in the token that also holds the keys of a pool. */
@Configuration(proxyBeanMethods = false)
public class CaConfiguration {

  @Bean
  CaPreparation caPreparation(KeywellProperties properties, Devices devices, InstantSource clock) {
    return new CaPreparation(
        properties.ca(), signing(properties, devices), properties.home(), clock);
  }

  /** Taken after the HSMs are open: the slots' ids are known only then. */
  private static List<CaDevice> signing(KeywellProperties properties, Devices devices) {
    boolean listed = !properties.hsm().listed().isEmpty();
    return devices.signing().stream().map(device -> new CaDevice(device, listed)).toList();
  }

  // The lifecycle starts and ends its threads.
  @Bean(destroyMethod = "")
  IssuingCas issuingCas(
      KeywellProperties properties,
      Devices devices,
      CaPreparation preparation,
      LongSupplier nanoClock,
      InstantSource clock) {
    if (properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING) {
      preparation.ensure();
    }
    return new IssuingCas(
        signing(properties, devices).stream()
            .map(device -> device.use(() -> device.open(properties.ca(), nanoClock, clock)))
            .toList());
  }
}
