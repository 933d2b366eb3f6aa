package org.keywell.operations.health;

import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyPools;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.PoolMode;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.InstanceLock;
import org.keywell.signing.database.TimelineGuard;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.log.Witnesses;
import org.keywell.signing.pool.LostKeys;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.sign.HandlerThreads;
import org.keywell.signing.sign.HangWatch;
import org.keywell.signing.sign.SignRequestQueue;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Liveness and readiness; application.yml assigns the parts to them. */
@Configuration(proxyBeanMethods = false)
public class HealthConfiguration {

  @Bean
  Moments moments(InstantSource clock, LongSupplier nanoClock) {
    return new Moments(clock, nanoClock);
  }

  @Bean
  DeviceHealths deviceHealths(KeyPools pools, Devices devices, LongSupplier nanoClock) {
    return new DeviceHealths(pools, devices::missing, devices::leftOut, nanoClock);
  }

  @Bean
  HsmPart hsmPart(DeviceHealths devices, LostKeys lostKeys, Moments moments) {
    return new HsmPart(devices::all, lostKeys::found, moments);
  }

  @Bean
  CaPart caPart(IssuingCas cas, Moments moments) {
    return new CaPart(cas, moments);
  }

  @Bean
  DatabasePart databasePart(
      TimelineGuard guard,
      InstanceLock lock,
      DatabaseClock clock,
      RecordWriter writer,
      Moments moments) {
    return new DatabasePart(guard, lock, clock, writer, moments);
  }

  @Bean
  PoolPart poolPart(
      KeywellProperties properties,
      KeyPools pools,
      PoolDepths depths,
      SignRequestQueue queue,
      Moments moments) {
    boolean refuses =
        properties.pool().mode() == PoolMode.POOLED
            && properties.pool().whenEmpty() == EmptyPoolPolicy.REFUSE;
    return new PoolPart(pools, refuses, depths, queue::waitingForKey, moments);
  }

  @Bean
  CallersPart callersPart(CallerRegister register, Moments moments) {
    return new CallersPart(register, moments);
  }

  @Bean
  LogPart logPart(
      SigningLog log, Witnesses witnesses, KeywellProperties properties, Moments moments) {
    String origin = Objects.requireNonNullElse(properties.log().origin(), "");
    return new LogPart(log, origin, witnesses, moments);
  }

  // The bean names without their last word are the names of the contributors.
  @Bean
  HealthIndicator hsmHealthIndicator(HsmPart part) {
    return new PartHealth(part);
  }

  @Bean
  HealthIndicator caHealthIndicator(CaPart part) {
    return new PartHealth(part);
  }

  @Bean
  HealthIndicator databaseHealthIndicator(DatabasePart part) {
    return new PartHealth(part);
  }

  @Bean
  HealthIndicator poolHealthIndicator(PoolPart part) {
    return new PartHealth(part);
  }

  @Bean
  HealthIndicator callersHealthIndicator(CallersPart part) {
    return new PartHealth(part);
  }

  @Bean
  HealthIndicator logHealthIndicator(LogPart part) {
    return new PartHealth(part);
  }

  @Bean
  ConnectorsHealth connectorsHealthIndicator() {
    return new ConnectorsHealth();
  }

  @Bean
  HealthIndicator hangHealthIndicator(HangWatch watch) {
    return new HangHealth(watch::isHopeless);
  }

  @Bean
  HealthIndicator threadsHealthIndicator(
      HandlerThreads handlers, OpenActs acts, RecordWriter writer, KeyPools pools) {
    return new ThreadsHealth(
        Map.of(
            "keywell-sign", handlers::isBroken,
            "keywell-acts", acts::isBroken,
            "keywell-records", writer::isBroken,
            "keywell-loader", pools::isLoaderBroken,
            "keywell-generator", pools::isGeneratorBroken));
  }
}
