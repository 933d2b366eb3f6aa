package org.keywell.loadgen.cli;

import java.io.IOException;
import java.util.Locale;

/** A rate was to overload a service that keeps up with it. */
final class RateTooLowException extends IOException {
  private static final long serialVersionUID = 1L;

  RateTooLowException(double perSecond, double baseRate) {
    super(
        String.format(
            Locale.ROOT,
            "no queue grows at %.1f requests per second: the base rate is %.1f; name higher"
                + " --rates, or multiples such as 1.5x",
            perSecond,
            baseRate));
  }
}
