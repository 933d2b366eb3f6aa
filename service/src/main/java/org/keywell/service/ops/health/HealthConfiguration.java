package org.keywell.service.ops.health;

import java.time.InstantSource;
import java.util.Map;
import java.util.function.LongSupplier;
import org.keywell.keypool.KeyPools;
import org.keywell.service.act.OpenActs;
import org.keywell.service.ca.IssuingCas;
import org.keywell.service.caller.CallerRegister;
import org.keywell.service.database.InstanceLock;
import org.keywell.service.database.TimelineGuard;
import org.keywell.service.hsm.Devices;
import org.keywell.service.pool.PoolDepths;
import org.keywell.service.record.RecordWriter;
import org.keywell.service.settings.EmptyPoolPolicy;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.settings.PoolMode;
import org.keywell.service.sign.HandlerThreads;
import org.keywell.service.sign.HangWatch;
import org.keywell.service.sign.SignRequestQueue;
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
  HsmPart hsmPart(DeviceHealths devices, Moments moments) {
    return new HsmPart(devices::all, moments);
  }

  @Bean
  CaPart caPart(IssuingCas cas, Moments moments) {
    return new CaPart(cas, moments);
  }

  @Bean
  DatabasePart databasePart(
      TimelineGuard guard, InstanceLock lock, RecordWriter writer, Moments moments) {
    return new DatabasePart(guard, lock, writer, moments);
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
