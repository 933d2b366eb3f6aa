package org.keywell.service.security;

/**
 * Is told of each request that was answered with a problem. Thread-safe; must not block or throw.
 */
@FunctionalInterface
public interface RefusalListener {

  void refused(RefusedRequest request);
}
