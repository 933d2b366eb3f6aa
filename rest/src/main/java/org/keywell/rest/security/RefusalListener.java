package org.keywell.rest.security;

/** Notified of each request answered with a problem. Thread-safe; must not block or throw. */
@FunctionalInterface
public interface RefusalListener {

  void refused(RefusedRequest request);
}
