package org.keywell.service.launch;

import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Keeps Spring from reporting a failed start at length: {@link FailedStart} does, in one line. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ReportedByMain implements SpringBootExceptionReporter {

  // Spring hands the context to whichever reporter it makes.
  @SuppressWarnings("unused")
  ReportedByMain(ConfigurableApplicationContext context) {}

  @Override
  public boolean reportException(Throwable failure) {
    return true;
  }
}
