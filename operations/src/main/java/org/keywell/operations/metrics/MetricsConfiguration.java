package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.operations.health.DeviceHealths;
import org.keywell.operations.health.Moments;
import org.keywell.operations.health.ReadinessPart;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.rest.security.RefusalListener;
import org.keywell.rest.tls.Revocation;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.RecordMonths;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.log.Witnesses;
import org.keywell.signing.pool.LedgerWatch;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.record.RecordListener;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.revocation.ListPublisher;
import org.keywell.signing.revocation.OcspAnswers;
import org.keywell.signing.revocation.OcspListener;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.sign.SignRequestQueue;
import org.keywell.signing.stamp.ClockGuard;
import org.keywell.signing.stamp.StampListener;
import org.keywell.signing.stamp.TimeStamps;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Listeners that count, and gauges that read. */
@Configuration(proxyBeanMethods = false)
public class MetricsConfiguration {

  @Bean
  MeterFilter foreignHelp() {
    return new ForeignHelp();
  }

  @Bean
  PoolListener poolListener(MeterRegistry registry, KeywellProperties properties) {
    return new PoolMetrics(registry, properties.pool().config().specs());
  }

  @Bean
  Function<String, CallListener> callListeners(MeterRegistry registry) {
    return device -> new HsmMetrics(registry, device);
  }

  @Bean
  SignListener signMetrics(MeterRegistry registry) {
    return new SignMetrics(registry);
  }

  @Bean
  RecordListener recordListener(MeterRegistry registry) {
    return new RecordMetrics(registry);
  }

  @Bean
  ProblemListener problemListener(MeterRegistry registry) {
    return new ProblemMetrics(registry);
  }

  @Bean
  RefusalListener refusalMetrics(MeterRegistry registry) {
    return new RefusalMetrics(registry);
  }

  @Bean
  StampListener stampListener(MeterRegistry registry, KeywellProperties properties) {
    return properties.tsa().enabled() ? new StampMetrics(registry) : _ -> {};
  }

  @Bean
  MeterBinder stampGauges(ClockGuard clock, TimeStamps stamps, KeywellProperties properties) {
    return properties.tsa().enabled()
        ? new StampGauges(clock, stamps, properties.hsm().devices())
        : _ -> {};
  }

  @Bean
  OcspListener ocspListener(MeterRegistry registry, KeywellProperties properties) {
    return properties.ca().ocsp().base().isPresent() ? new OcspMetrics(registry) : _ -> {};
  }

  @Bean
  MeterBinder ocspGauges(OcspAnswers ocsp, KeywellProperties properties) {
    return registry -> {
      if (ocsp.isOn()) {
        new Meters(registry)
            .expiry(
                "keywell.ocsp.certificate.expiry.timestamp.seconds",
                "When the chain of what answers OCSP requests in this device ends",
                properties.hsm().devices(),
                ocsp::end);
      }
    };
  }

  @Bean
  MeterBinder listGauges(ListPublisher lists, KeywellProperties properties) {
    return properties.ca().crl().base().isPresent() ? new ListGauges(lists) : _ -> {};
  }

  @Bean
  MeterBinder poolGauges(KeyPools pools, PoolDepths depths, LedgerWatch ledger) {
    return new PoolGauges(pools, depths, ledger);
  }

  @Bean
  MeterBinder signGauges(
      SignRequestQueue queue, KeywellProperties properties, RecordWriter writer, OpenActs acts) {
    return new SignGauges(
        queue, properties.sign(), properties.pool().config().specs(), writer, acts);
  }

  @Bean
  MeterBinder hsmGauges(
      KeyPools pools,
      DeviceHealths devices,
      LedgerWatch ledger,
      KeywellProperties properties,
      Moments moments) {
    return new HsmGauges(pools, devices, ledger, properties.hsm(), moments);
  }

  @Bean
  MeterBinder callerGauges(CallerRegister register, Revocation revocation) {
    return new CallerGauges(register, revocation);
  }

  @Bean
  MeterBinder caGauges(IssuingCas cas, KeywellProperties properties) {
    return new CaGauges(cas, properties.hsm().devices());
  }

  @Bean
  MeterBinder logGauges(SigningLog log, Witnesses witnesses) {
    return new LogGauges(log, witnesses);
  }

  @Bean
  MeterBinder serviceGauges(
      ObjectProvider<BuildProperties> build,
      RecordMonths months,
      DatabaseClock clock,
      List<ReadinessPart> parts,
      ApplicationAvailability availability) {
    BuildProperties known = build.getIfAvailable();
    String version = known == null || known.getVersion() == null ? "unknown" : known.getVersion();
    return new ServiceGauges(version, months, clock, parts, availability);
  }
}
