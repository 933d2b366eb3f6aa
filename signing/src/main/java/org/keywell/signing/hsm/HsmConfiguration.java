package org.keywell.signing.hsm;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
    return new TokenPreparation(TokenAccess.all(properties.hsm()), TokenAccess.managed(properties));
  }

  @Bean
  HsmTimes hsmTimes(KeywellProperties properties) {
    return new HsmTimes(properties.hsm().deviceProfile());
  }

  /**
   * Opens the devices.
   *
   * @param listeners map a device's name to a listener for its calls
   */
  @Bean
  DeviceOpener deviceOpener(
      KeywellProperties properties,
      HsmTimes times,
      List<Function<String, CallListener>> listeners,
      StartPatience patience) {
    return new DeviceOpener(properties.hsm().callLimits(), times, listeners, patience);
  }

  /**
   * Opens those that are there, including one that signs, or the start ends. Requires all of them
   * if the start may create what they lack.
   */
  @Bean(destroyMethod = "close")
  Devices devices(
      KeywellProperties properties,
      TokenPreparation preparation,
      HsmTimes times,
      DeviceOpener opener) {
    if (properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING) {
      opener.prepare(preparation);
    }
    Devices devices = opener.openThoseThatAreThere(properties.hsm().devices());
    times.announce();
    return devices;
  }

  /**
   * Opens the token that keeps managed keys once more, by the wrapping key of those. Null without
   * KMIP.
   *
   * @param devices are open, so that the token has proved itself
   */
  @Bean(destroyMethod = "close")
  @Nullable ManagedToken managedToken(
      KeywellProperties properties, Devices devices, DeviceOpener opener) {
    return TokenAccess.managed(properties)
        .map(token -> ManagedToken.open(token, devices, opener))
        .orElse(null);
  }
}
