package org.keywell.rest.security;

import jakarta.servlet.http.HttpServletRequest;
import org.keywell.signing.caller.Caller;

/**
 * Takes the senders that another source does not know for {@link Caller#anyone}, where everyone may
 * read. A known caller stays who it is, with its own share of the reads.
 */
final class PublicReaders implements CallerSource {

  private final CallerSource known;
  private final EndpointRoles endpoints;

  PublicReaders(CallerSource known, EndpointRoles endpoints) {
    this.known = known;
    this.endpoints = endpoints;
  }

  @Override
  public Caller of(HttpServletRequest request) {
    try {
      return known.of(request);
    } catch (CallerRefusedException e) {
      if (endpoints.isPublic(request)) {
        return Caller.anyone();
      }
      throw e;
    }
  }
}
