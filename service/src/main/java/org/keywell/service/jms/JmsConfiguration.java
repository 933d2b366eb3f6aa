package org.keywell.service.jms;

import java.time.InstantSource;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.keywell.jms.EmbeddedBrokers;
import org.keywell.jms.RequestListener;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.JmsProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.PoolMode;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.SignService;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The way in over a message broker, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Conditional(JmsEnabled.class)
public class JmsConfiguration {

  /** A stop has further steps, and each has its share of the time. */
  private static final int SHARE_OF_STOP = 6;

  @Bean
  JmsDoor jmsDoor(
      KeywellProperties all,
      SslBundles bundles,
      SignRequestParser parser,
      SignService service,
      CallerRegister register,
      CallerRates rates,
      KeyPools pools,
      JsonMapper mapper,
      InstantSource clock,
      LongSupplier nanoClock) {
    JmsProperties jms = all.jms();
    return new JmsDoor(
        jms.embedded() ? () -> EmbeddedBrokers.included().start(all.home(), jms) : null,
        new RequestListener(
            jms,
            jms.bundle() == null ? null : new JmsTls(jms.bundle(), bundles),
            (int) all.sign().maxBody().toBytes(),
            new RequestListener.Core(
                parser,
                service,
                register::ofBrokerUser,
                rates,
                keys(all, pools),
                mapper,
                clock,
                nanoClock)),
        all.stopLimit().dividedBy(SHARE_OF_STOP));
  }

  /**
   * While devices fail, keys are not what is missing: the core says so. What callers over HTTP take
   * meanwhile is not known.
   */
  private static ToIntFunction<KeySpec> keys(KeywellProperties all, KeyPools pools) {
    boolean refuses =
        all.pool().mode() == PoolMode.POOLED && all.pool().whenEmpty() == EmptyPoolPolicy.REFUSE;
    return spec -> refuses && !pools.failsToSign() ? pools.depth(spec).loaded() : Integer.MAX_VALUE;
  }

  @Bean
  HealthIndicator jmsHealthIndicator(JmsDoor door) {
    return new JmsHealth(door.status());
  }
}
