package org.keywell.signing.sign;

import java.time.Duration;
import org.keywell.signing.request.SignOutcome;

/** Where no acts in two calls are opened. */
final class NoActs implements KeyKeeper {

  @Override
  public void reserve(PendingRequest opening) {
    throw new AssertionError();
  }

  @Override
  public void keep(PendingRequest opening, SignOutcome.Opened opened) {
    throw new AssertionError();
  }

  @Override
  public void destroy(PendingRequest ended) {
    throw new AssertionError();
  }

  @Override
  public int endWithoutDevice(Duration atLeast) {
    return 0;
  }
}
