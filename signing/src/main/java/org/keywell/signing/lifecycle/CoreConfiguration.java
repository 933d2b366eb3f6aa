package org.keywell.signing.lifecycle;

import org.keywell.identity.provider.IdentityConfiguration;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.act.ActConfiguration;
import org.keywell.signing.ca.CaConfiguration;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.hsm.HsmConfiguration;
import org.keywell.signing.log.LogConfiguration;
import org.keywell.signing.pool.PoolConfiguration;
import org.keywell.signing.revocation.RevocationConfiguration;
import org.keywell.signing.sign.SignConfiguration;
import org.keywell.signing.stamp.StampConfiguration;
import org.keywell.signing.start.ClockConfiguration;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * The signing core, for each way in. The application adds one {@code SignListener}, one {@code
 * RecordListener}, one {@code PoolListener} and one {@code StampListener}.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(KeywellProperties.class)
@Import({
  StartConfiguration.class,
  ClockConfiguration.class,
  OwnedDatabaseConfiguration.class,
  HsmConfiguration.class,
  PoolConfiguration.class,
  CaConfiguration.class,
  IdentityConfiguration.class,
  LogConfiguration.class,
  SignConfiguration.class,
  ActConfiguration.class,
  StampConfiguration.class,
  RevocationConfiguration.class,
  LifecycleConfiguration.class
})
public class CoreConfiguration {}
