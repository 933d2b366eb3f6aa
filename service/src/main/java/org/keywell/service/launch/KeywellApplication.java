package org.keywell.service.launch;

import org.keywell.operations.PoolController;
import org.keywell.operations.console.ConsoleConfiguration;
import org.keywell.operations.health.HealthConfiguration;
import org.keywell.operations.metrics.MetricsConfiguration;
import org.keywell.rest.act.ActHttpConfiguration;
import org.keywell.rest.ca.CaController;
import org.keywell.rest.ca.ListController;
import org.keywell.rest.ca.OcspController;
import org.keywell.rest.ca.RevocationController;
import org.keywell.rest.log.LogController;
import org.keywell.rest.log.WitnessController;
import org.keywell.rest.problem.ProblemAdvice;
import org.keywell.rest.rehearsal.WarmUpConfiguration;
import org.keywell.rest.sign.SignHttpConfiguration;
import org.keywell.rest.stamp.TimeStampController;
import org.keywell.rest.trial.TrialFiles;
import org.keywell.rest.web.OpenApiConfiguration;
import org.keywell.rest.web.WebConfiguration;
import org.keywell.service.jms.JmsConfiguration;
import org.keywell.service.kmip.KmipConfiguration;
import org.keywell.service.xks.XksConfiguration;
import org.keywell.signing.lifecycle.CoreConfiguration;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The whole service. Each part is named here; none is found by scanning. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
  CoreConfiguration.class,
  StopConfiguration.class,
  WebConfiguration.class,
  OpenApiConfiguration.class,
  WarmUpConfiguration.class,
  SignHttpConfiguration.class,
  ActHttpConfiguration.class,
  HealthConfiguration.class,
  MetricsConfiguration.class,
  ConsoleConfiguration.class,
  CaController.class,
  RevocationController.class,
  ListController.class,
  OcspController.class,
  LogController.class,
  WitnessController.class,
  TimeStampController.class,
  PoolController.class,
  TrialFiles.class,
  ProblemAdvice.class,
  KmipConfiguration.class,
  XksConfiguration.class,
  JmsConfiguration.class,
  Drain.class,
  ReadyBanner.class
})
public class KeywellApplication {}
