package org.keywell.operations.console;

import java.time.InstantSource;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyPools;
import org.keywell.operations.health.ReadinessPart;
import org.keywell.operations.jms.JmsView;
import org.keywell.operations.kmip.KmipView;
import org.keywell.operations.xks.XksView;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.hsm.HsmTimes;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.sign.SignRequestQueue;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import tools.jackson.databind.json.JsonMapper;

/** The console, unless it is disabled. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "keywell.console.enabled", matchIfMissing = true)
@Import(ConsoleController.class)
public class ConsoleConfiguration {

  @Bean
  RequestFeed requestFeed(LongSupplier nanoClock) {
    return new RequestFeed(nanoClock);
  }

  // The lifecycle closes it.
  @Bean(destroyMethod = "")
  Subscribers consoleSubscribers() {
    return new Subscribers();
  }

  @Bean
  ConsoleFiles consoleFiles() {
    return new ConsoleFiles();
  }

  @Bean
  EventFormat consoleEventFormat(JsonMapper json) {
    return new EventFormat(json);
  }

  @Bean
  ConsoleLimits consoleLimits(
      KeywellProperties properties,
      SignRequestQueue queue,
      HsmTimes times,
      ObjectProvider<BuildProperties> build,
      Environment environment) {
    BuildProperties known = build.getIfAvailable();
    return new ConsoleLimits(
        properties.instance(),
        known == null || known.getVersion() == null ? "unknown" : known.getVersion(),
        properties.pool().mode().label(),
        times.profileName(),
        management(Binder.get(environment)),
        queue.limit(),
        ConsoleSampler.HISTORY_SECONDS,
        properties.pool().limits().stream()
            .map(pool ->
                new ConsoleLimits.Pool(
                    pool.spec().label(), pool.maxStored(), pool.loadedCapacity(), pool.lowWater()))
            .toList());
  }

  /** Spring Boot provides these properties as a bean only for a separate port. */
  private static ConsoleLimits.@Nullable Management management(Binder settings) {
    ManagementServerProperties at =
        settings.bindOrCreate("management.server", ManagementServerProperties.class);
    ServerProperties service = settings.bindOrCreate("server", ServerProperties.class);
    Integer port = at.getPort();
    if (port == null || port <= 0) {
      return null;
    }
    if (port.equals(service.getPort())) {
      return new ConsoleLimits.Management(port, false, Ssl.isEnabled(service.getSsl()));
    }
    boolean loopback = at.getAddress() != null && at.getAddress().isLoopbackAddress();
    return new ConsoleLimits.Management(port, loopback, Ssl.isEnabled(at.getSsl()));
  }

  @Bean
  ServiceProbe serviceProbe(
      KeyPools pools,
      PoolDepths depths,
      SignRequestQueue queue,
      OpenActs acts,
      List<ReadinessPart> parts,
      ApplicationAvailability availability,
      ObjectProvider<KmipView> kmip,
      ObjectProvider<XksView> xks,
      ObjectProvider<JmsView> jms) {
    return new ServiceProbe(
        pools,
        depths,
        queue,
        acts::count,
        parts,
        availability,
        kmip.getIfAvailable(),
        xks.getIfAvailable(),
        jms.getIfAvailable());
  }

  @Bean
  ConsoleSampler consoleSampler(
      ServiceProbe probe,
      RequestFeed requests,
      Subscribers subscribers,
      EventFormat format,
      InstantSource clock,
      LongSupplier nanoClock) {
    return new ConsoleSampler(probe, requests, subscribers, format, clock, nanoClock);
  }

  @Bean
  ConsoleLifecycle consoleLifecycle(ConsoleSampler sampler, Subscribers subscribers) {
    return new ConsoleLifecycle(sampler, subscribers);
  }
}
