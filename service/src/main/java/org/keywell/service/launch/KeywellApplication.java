package org.keywell.service.launch;

import org.keywell.service.act.ActConfiguration;
import org.keywell.service.act.ActHttpConfiguration;
import org.keywell.service.ca.CaConfiguration;
import org.keywell.service.ca.CaController;
import org.keywell.service.database.OwnedDatabaseConfiguration;
import org.keywell.service.hsm.HsmConfiguration;
import org.keywell.service.identity.provider.IdentityConfiguration;
import org.keywell.service.ops.PoolController;
import org.keywell.service.ops.console.ConsoleConfiguration;
import org.keywell.service.ops.health.HealthConfiguration;
import org.keywell.service.ops.metrics.MetricsConfiguration;
import org.keywell.service.pool.PoolConfiguration;
import org.keywell.service.problem.ProblemAdvice;
import org.keywell.service.settings.KeywellProperties;
import org.keywell.service.sign.SignConfiguration;
import org.keywell.service.sign.SignHttpConfiguration;
import org.keywell.service.sign.WarmUpConfiguration;
import org.keywell.service.start.ClockConfiguration;
import org.keywell.service.start.StartConfiguration;
import org.keywell.service.web.OpenApiConfiguration;
import org.keywell.service.web.WebConfiguration;
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
