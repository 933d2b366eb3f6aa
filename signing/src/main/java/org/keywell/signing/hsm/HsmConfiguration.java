package org.keywell.signing.hsm;

import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.start.StartPatience;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The devices: found, logged in to and tested before anything depends on them. */
@Configuration(proxyBeanMethods = false)
public class HsmConfiguration {

  @Bean
  TokenPreparation tokenPreparation(KeywellProperties properties) {
    return new TokenPreparation(TokenAccess.all(properties.hsm()));
  }

  @Bean
  HsmTimes hsmTimes(KeywellProperties properties) {
    return new HsmTimes(properties.hsm().deviceProfile());
  }

  /**
   * Opens those that are there, including one that signs, or the start ends. Requires all of them
   * if the start may create what they lack.
   *
   * @param listeners map a device's name to a listener for its calls
   */
  @Bean(destroyMethod = "close")
  Devices devices(
      KeywellProperties properties,
      TokenPreparation preparation,
      HsmTimes times,
      List<Function<String, CallListener>> listeners,
      StartPatience patience) {
    DeviceOpener opener =
        new DeviceOpener(properties.hsm().callLimits(), times, listeners, patience);
    if (properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING) {
      opener.prepare(preparation);
    }
    Devices devices = opener.openThoseThatAreThere(properties.hsm().devices());
    times.announce();
    return devices;
  }
}
