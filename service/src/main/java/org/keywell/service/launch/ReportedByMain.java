package org.keywell.service.launch;

import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Keeps Spring from reporting a failed start at length: {@link FailedStart} does, in one line. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ReportedByMain implements SpringBootExceptionReporter {

  // Spring passes the context to each reporter it creates.
  @SuppressWarnings("unused")
  ReportedByMain(ConfigurableApplicationContext context) {}

  @Override
  public boolean reportException(Throwable failure) {
    return true;
  }
}
