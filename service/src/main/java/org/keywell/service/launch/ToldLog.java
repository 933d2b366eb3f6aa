package org.keywell.service.launch;

import java.util.Collection;
import java.util.Optional;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.log.CommandLog;
import org.springframework.context.ApplicationContext;

/** Tells the log what a command has changed, and the operator if that failed. */
record ToldLog(KeywellProperties properties) {

  static ToldLog of(ApplicationContext parts) {
    return new ToldLog(parts.getBean(KeywellProperties.class));
  }

  void tell(String type, String command, Collection<String> did) {
    report(CommandLog.tell(properties, type, command, did));
  }

  static void report(Optional<String> failure) {
    failure.ifPresent(reason -> System.err.println("keywell: done, but not in the log: " + reason));
  }
}
