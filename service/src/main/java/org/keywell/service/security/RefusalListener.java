package org.keywell.service.security;

/** Notified of each request answered with a problem. Thread-safe; must not block or throw. */
@FunctionalInterface
public interface RefusalListener {

  void refused(RefusedRequest request);
}
