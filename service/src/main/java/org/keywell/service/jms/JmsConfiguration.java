package org.keywell.service.jms;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.keywell.jms.MessageListener;
import org.keywell.jms.RequestListener;
import org.keywell.jms.Signer;
import org.keywell.jms.Turn;
import org.keywell.json.ActRequestParser;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.operations.jms.JmsView;
import org.keywell.operations.metrics.JmsMetricsConfiguration;
import org.keywell.rest.tls.Lookups;
import org.keywell.rest.tls.Revocation;
import org.keywell.rest.tls.RevocationConfiguration;
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.JmsProperties;
import org.keywell.settings.JmsProtection;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.PoolMode;
import org.keywell.signing.act.ActService;
import org.keywell.signing.caller.CallerRegister;
import org.keywell.signing.database.MessageAttempts;
import org.keywell.signing.database.SeenMessages;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.SignService;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import tools.jackson.databind.json.JsonMapper;

/** The way in over a message broker, if it is enabled. */
@Configuration(proxyBeanMethods = false)
@Conditional(JmsEnabled.class)
@Import(JmsMetricsConfiguration.class)
public class JmsConfiguration {

  /** A stop has further steps, and each has its share of the time. */
  private static final int SHARE_OF_STOP = 6;

  @Bean
  JmsDoor jmsDoor(
      KeywellProperties all,
      SslBundles bundles,
      SignRequestParser parser,
      SignService service,
      ActRequestParser actParser,
      ActService acts,
      CallerRegister register,
      Revocation revocation,
      DataSource dataSource,
      CallerRates rates,
      KeyPools pools,
      JsonMapper mapper,
      MessageListener messages,
      InstantSource clock,
      LongSupplier nanoClock) {
    JmsProperties jms = all.jms();
    JmsProtection protection = JmsProtection.of(jms);
    Lookups lookups = new Lookups(all.security().revocation().timeLimit());
    return new JmsDoor(
        jms.embedded() ? () -> EmbeddedBrokers.included().start(all.home(), jms) : null,
        new RequestListener(
            jms,
            new PasswordFile(
                Objects.requireNonNull(jms.passwordFile(), "keywell.jms.password-file")),
            protection,
            jms.bundle() == null
                ? null
                : new JmsBundle<>("keywell.jms.bundle", jms.bundle(), bundles, JmsTls::context),
            (int) all.sign().maxBody().toBytes(),
            new RequestListener.Core(
                parser,
                service,
                actParser,
                acts,
                new Turn(all.instance(), all.acts().maxTimeToLive()),
                register::ofBrokerUser,
                signers(jms, protection, bundles, revocation, lookups, register),
                keys(jms, protection, bundles),
                new SeenMessages(dataSource)::take,
                new MessageAttempts(dataSource, all.instance()),
                rates,
                keys(all, pools),
                mapper,
                messages,
                clock,
                nanoClock)),
        lookups,
        all.stopLimit().dividedBy(SHARE_OF_STOP));
  }

  private static JmsKeys keys(JmsProperties jms, JmsProtection protection, SslBundles bundles) {
    return new JmsKeys(
        jms,
        protection.queues().stream().anyMatch(queue -> queue.answers().isSigned()),
        protection.queues().stream().anyMatch(queue -> queue.requests().isEncrypted()),
        bundles);
  }

  private static Function<List<X509Certificate>, Signer> signers(
      JmsProperties jms,
      JmsProtection protection,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups,
      CallerRegister register) {
    String setting = "keywell.jms.signing-bundle";
    String bundle = jms.signingBundle();
    if (bundle == null
        || protection.queues().stream().noneMatch(queue -> queue.requests().isSigned())) {
      return _ -> new Signer.Refused("no queue has signed requests");
    }
    return new JmsSigners(
        new JmsBundle<>(setting, bundle, bundles, JmsSigners::handshake),
        RevocationConfiguration.certificates(
            "keywell.jms", null, bundle, bundles, revocation, lookups),
        register);
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
  JmsView jmsView(JmsDoor door, InstantSource clock) {
    return new JmsView(door.statuses(), clock);
  }

  @Bean
  HealthIndicator jmsHealthIndicator(JmsDoor door) {
    return new JmsHealth(door.statuses());
  }
}
