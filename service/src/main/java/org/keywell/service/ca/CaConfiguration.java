package org.keywell.service.ca;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.token.CaToken;
import org.keywell.ca.token.TokenAddress;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.service.hsm.Devices;
import org.keywell.service.hsm.HsmCredentials;
import org.keywell.service.hsm.OpenDevice;
import org.keywell.service.settings.CaProperties;
import org.keywell.service.settings.HsmProperties;
import org.keywell.service.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The CA, with its key in the token that also holds the pool's keys. */
@Configuration(proxyBeanMethods = false)
public class CaConfiguration {

  private static final String HSM = "hsm";

  /** Taken after the HSM is open: the slot's id is known only then. */
  @Bean
  TokenAddress tokenAddress(Devices devices) {
    return address(devices.first().config(), devices.first().pkcs11().slotId());
  }

  private static TokenAddress address(Pkcs11Config config, long slotId) {
    return new TokenAddress(config.module(), slotId, config.initializeParameters().orElse(null));
  }

  @Bean
  CaPreparation caPreparation(
      KeywellProperties properties, TokenAddress token, Devices devices, InstantSource clock) {
    return new CaPreparation(
        properties.ca(), token, devices.first().credentials(), properties.home(), clock);
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
    OpenDevice first = devices.first();
    Pkcs11Hsm device = first.pkcs11();
    RenewableCa ca =
        new RenewableCa(
            HSM,
            slotId ->
                open(properties.ca(), address(first.config(), slotId), first.credentials(), clock),
            device::slotId,
            () -> isLoggedIn(device),
            device::foreignCall,
            nanoClock);
    device.add(ca);
    return new IssuingCas(List.of(new CaWatch(HSM, ca, device::failsToSign, nanoClock)));
  }

  /** Asks the token: what the device knows may be of before a loss. */
  private static boolean isLoggedIn(Pkcs11Hsm device) {
    try {
      device.probe();
      return true;
    } catch (HsmException e) {
      return false;
    }
  }

  private static CertificateAuthority open(
      CaProperties properties,
      TokenAddress token,
      HsmCredentials credentials,
      InstantSource clock) {
    IssuingKey key =
        credentials.withUserPin(
            pin -> CaToken.open(token, pin).issuingKey(properties.issuing().label(), clock));
    return new BouncyCastleCertificateAuthority(
        key, properties.certificateProfile(), SigningLimits.defaults(), clock, new SecureRandom());
  }
}
