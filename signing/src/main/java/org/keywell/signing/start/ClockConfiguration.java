package org.keywell.signing.start;

import java.time.Clock;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Calendar time and elapsed time, kept apart. */
@Configuration(proxyBeanMethods = false)
public class ClockConfiguration {

  @Bean
  InstantSource clock() {
    return Clock.systemUTC();
  }

  @Bean
  LongSupplier nanoClock() {
    return System::nanoTime;
  }
}
