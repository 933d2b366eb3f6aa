package org.keywell.signing.ca;

import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.keywell.ca.CertificateProfiles;
import org.keywell.settings.HsmProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.hsm.Devices;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The CAs, each with its key in a token that also holds the keys of a pool. */
@Configuration(proxyBeanMethods = false)
public class CaConfiguration {

  /** Lazy: a start that creates nothing does not need every device. */
  @Lazy
  @Bean
  CaPreparation caPreparation(KeywellProperties properties, Devices devices, InstantSource clock) {
    devices.requireAll();
    boolean listed = !properties.hsm().listed().isEmpty();
    List<CaDevice> signing =
        devices.signing().stream().map(device -> new CaDevice(device, listed)).toList();
    return new CaPreparation(
        properties.ca(), properties.log(), properties.tsa(), signing, properties.home(), clock);
  }

  @Bean
  ProfileFiles profileFiles(KeywellProperties properties) {
    return ProfileFiles.read(properties.ca());
  }

  @Bean
  CertificateProfiles certificateProfiles(ProfileFiles files) {
    return files.profiles();
  }

  @Bean
  CaOpener caOpener(
      KeywellProperties properties,
      CertificateProfiles profiles,
      LongSupplier nanoClock,
      InstantSource clock) {
    boolean listed = !properties.hsm().listed().isEmpty();
    return new CaOpener(
        properties.ca().issuing().label(),
        properties.ca().ocsp().keyLabel(),
        profiles,
        properties.ca().signingLimits(),
        listed,
        nanoClock,
        clock);
  }

  @Bean
  AuditKeys auditKeys(KeywellProperties properties, LongSupplier nanoClock) {
    boolean listed = !properties.hsm().listed().isEmpty();
    return new AuditKeys(
        properties.log().keyLabel(), properties.log().ed25519Label(), listed, nanoClock);
  }

  @Bean
  StampUnits stampUnits(KeywellProperties properties, LongSupplier nanoClock) {
    return new StampUnits(properties.tsa(), !properties.hsm().listed().isEmpty(), nanoClock);
  }

  @Bean
  RootInToken rootInToken(KeywellProperties properties, Devices devices) {
    return new RootInToken(devices.signing().getFirst(), properties.ca());
  }

  @Bean
  ServerKeys serverKeys(KeywellProperties properties, LongSupplier nanoClock) {
    return new ServerKeys(properties.serverKey(), !properties.hsm().listed().isEmpty(), nanoClock);
  }

  /**
   * The lifecycle starts and ends its threads.
   *
   * @param clock agrees with PostgreSQL's before missing keys are made and certified
   */
  @Bean(destroyMethod = "")
  IssuingCas issuingCas(
      KeywellProperties properties,
      Devices devices,
      ObjectProvider<CaPreparation> preparation,
      CaOpener opener,
      DatabaseClock clock) {
    if (properties.hsm().bootstrap() == HsmProperties.Bootstrap.IF_MISSING) {
      preparation.getObject().ensure();
    }
    return new IssuingCas(devices.useThoseThatSign(opener::open), clock::isInDoubt);
  }
}
