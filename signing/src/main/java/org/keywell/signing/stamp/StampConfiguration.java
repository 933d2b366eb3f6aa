package org.keywell.signing.stamp;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.keywell.ca.issuance.SerialNumbers;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.TsaProperties;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.ca.StampUnits;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.hsm.Devices;
import org.keywell.signing.log.LogCommitter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The time-stamp authority; without one, its parts do nothing. */
@Configuration(proxyBeanMethods = false)
public class StampConfiguration {

  /** A server on the network answers in less, or not at all. */
  private static final Duration NTP_LIMIT = Duration.ofSeconds(1);

  @Bean
  ClockGuard clockGuard(
      KeywellProperties properties,
      InstantSource clock,
      LongSupplier nanoClock,
      DatabaseClock databaseClock) {
    TsaProperties tsa = properties.tsa();
    return new ClockGuard(
        tsa.timeServerAddresses(),
        tsa.timeServersEvery(),
        tsa.maxOffset(),
        clock,
        nanoClock,
        new NtpClient(clock, new SecureRandom(), NTP_LIMIT)::ask,
        () -> databaseClock.doubt().map(DatabaseClock.Doubt::why));
  }

  /**
   * @param cas has been created before, which makes missing keys
   */
  @Bean
  TimeStamps timeStamps(
      KeywellProperties properties,
      Devices devices,
      IssuingCas cas,
      StampUnits units,
      ClockGuard clock,
      LogCommitter entries,
      StampListener listener) {
    TimeStamps stamps =
        new TimeStamps(
            clock,
            new SerialNumbers(new SecureRandom()),
            entries,
            properties.tsa().maxConcurrent(),
            properties.instance(),
            listener);
    if (properties.tsa().enabled()) {
      devices.signing().forEach(device -> stamps.add(units.open(device)));
    }
    return stamps;
  }
}
