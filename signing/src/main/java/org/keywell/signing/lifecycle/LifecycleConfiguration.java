package org.keywell.signing.lifecycle;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What starts and stops with the service: requests, keys, and the threads that watch over them. */
@Configuration(proxyBeanMethods = false)
@Import({
  Leftovers.class,
  RestoredDatabase.class,
  AdoptionWatch.class,
  Signing.class,
  LateDevices.class,
  Watches.class,
  ServiceLifecycle.class
})
public class LifecycleConfiguration {}
