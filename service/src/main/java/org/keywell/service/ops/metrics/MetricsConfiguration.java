package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.List;
import java.util.function.Function;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.pkcs11.CallListener;
import org.keywell.service.act.OpenActs;
import org.keywell.service.ca.IssuingCas;
import org.keywell.service.caller.CallerRegister;
import org.keywell.service.ops.health.DeviceHealths;
import org.keywell.service.ops.health.Moments;
import org.keywell.service.ops.health.ReadinessPart;
import org.keywell.service.pool.LedgerWatch;
import org.keywell.service.pool.PoolDepths;
import org.keywell.service.problem.ProblemListener;
import org.keywell.service.record.RecordListener;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.security.RefusalListener;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.sign.SignListener;
import org.keywell.service.sign.SignRequestQueue;
import org.keywell.service.tls.Revocation;
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
  MeterBinder serviceGauges(
      ObjectProvider<BuildProperties> build,
      List<ReadinessPart> parts,
      ApplicationAvailability availability) {
    BuildProperties known = build.getIfAvailable();
    String version = known == null || known.getVersion() == null ? "unknown" : known.getVersion();
    return new ServiceGauges(version, parts, availability);
  }
}
