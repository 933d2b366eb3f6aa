package org.keywell.service.launch;

import org.keywell.identity.provider.IdentityConfiguration;
import org.keywell.operations.PoolController;
import org.keywell.operations.console.ConsoleConfiguration;
import org.keywell.operations.health.HealthConfiguration;
import org.keywell.operations.metrics.MetricsConfiguration;
import org.keywell.rest.act.ActHttpConfiguration;
import org.keywell.rest.ca.CaController;
import org.keywell.rest.problem.ProblemAdvice;
import org.keywell.rest.rehearsal.WarmUpConfiguration;
import org.keywell.rest.sign.SignHttpConfiguration;
import org.keywell.rest.web.OpenApiConfiguration;
import org.keywell.rest.web.WebConfiguration;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.act.ActConfiguration;
import org.keywell.signing.ca.CaConfiguration;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.hsm.HsmConfiguration;
import org.keywell.signing.lifecycle.LifecycleConfiguration;
import org.keywell.signing.pool.PoolConfiguration;
import org.keywell.signing.sign.SignConfiguration;
import org.keywell.signing.start.ClockConfiguration;
import org.keywell.signing.start.StartConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;

/** The whole service. Each part is named here; none is found by scanning. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableConfigurationProperties(KeywellProperties.class)
@Import({
  StartConfiguration.class,
  StopConfiguration.class,
  WebConfiguration.class,
  OpenApiConfiguration.class,
  ClockConfiguration.class,
  OwnedDatabaseConfiguration.class,
  HsmConfiguration.class,
  PoolConfiguration.class,
  CaConfiguration.class,
  IdentityConfiguration.class,
  SignConfiguration.class,
  WarmUpConfiguration.class,
  ActConfiguration.class,
  SignHttpConfiguration.class,
  ActHttpConfiguration.class,
  HealthConfiguration.class,
  MetricsConfiguration.class,
  ConsoleConfiguration.class,
  CaController.class,
  PoolController.class,
  ProblemAdvice.class,
  LifecycleConfiguration.class,
  Drain.class,
  ReadyBanner.class
})
public class KeywellApplication {}
