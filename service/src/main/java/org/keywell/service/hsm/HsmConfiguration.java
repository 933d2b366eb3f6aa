package org.keywell.service.hsm;

import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.keypool.hsm.pkcs11.LoginHistory;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.service.settings.HsmProperties;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.StartRefusedException;
import org.keywell.service.start.NotThereYetException;
import org.keywell.service.start.StartPatience;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The device: found, logged in to and proved before anything depends on it. */
@Configuration(proxyBeanMethods = false)
public class HsmConfiguration {

  @Bean
  HsmCredentials hsmCredentials(KeywellProperties properties) {
    return new HsmCredentials(properties.hsm());
  }

  @Bean
  Pkcs11Config pkcs11Config(KeywellProperties properties) {
    return config(properties.hsm());
  }

  @Bean
  TokenPreparation tokenPreparation(Pkcs11Config config, HsmCredentials credentials) {
    return new TokenPreparation(config, credentials);
  }

  @Bean(destroyMethod = "close")
  Pkcs11Hsm device(
      KeywellProperties properties,
      Pkcs11Config config,
      TokenPreparation preparation,
      HsmCredentials credentials,
      List<CallListener> listeners,
      StartPatience patience) {
    CallListener all = listeners.stream().reduce(CallListener.NONE, CallListener::andThen);
    boolean prepare = properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING;
    return patience.untilThere(() -> {
      try {
        // Before each attempt: whatever failed, a PIN that was refused is not tried again.
        LoginHistory.requireNoFailure(config);
        if (prepare) {
          preparation.ensure();
        }
        return Pkcs11Hsm.open(config, credentials::userPin, properties.hsm().callLimits(), all);
      } catch (HsmException e) {
        throw isNotThereYet(e)
            ? new NotThereYetException("the HSM cannot be reached: " + e.getMessage(), e)
            : e;
      }
    });
  }

  /** The device says so itself: a module that cannot be loaded is configured wrongly. */
  static boolean isNotThereYet(HsmException failure) {
    return failure.reason() == HsmException.Reason.UNAVAILABLE && failure.returnValue() != -1;
  }

  @Bean
  HsmTimes hsmTimes(KeywellProperties properties) {
    return new HsmTimes(properties.hsm().deviceProfile());
  }

  /** What all but the CA use: the device, or the device slowed down, which closes nothing twice. */
  @Bean(destroyMethod = "")
  @Primary
  Hsm hsm(Pkcs11Hsm device, HsmTimes times) {
    return times.of(device);
  }

  /**
   * How the device is opened.
   *
   * @throws StartRefusedException if none is named
   */
  public static Pkcs11Config config(HsmProperties properties) {
    if (properties.module() == null) {
      throw new StartRefusedException(
          "keywell.hsm.module is not set: the path of a PKCS#11 module (./keywell sets up SoftHSM2)");
    }
    return new Pkcs11Config(
        properties.module().toAbsolutePath(),
        properties.tokenLabel(),
        properties.wrappingKeyLabel(),
        Optional.ofNullable(properties.initializeParameters()),
        properties.maxSessions());
  }
}
