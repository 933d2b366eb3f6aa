package org.keywell.ca;

import java.time.Instant;
import java.util.List;

/**
 * How the signer was identified, for the certificate to say (RFC 7773).
 *
 * @param identityProvider who authenticated the signer
 * @param authenticated when
 * @param levelOfAssurance the authentication context class by which it was done
 * @param assertionReference the provider's id of what it said
 * @param attributes which of the provider's attributes became which part of the subject
 */
public record AuthenticationContext(
    String identityProvider,
    Instant authenticated,
    String levelOfAssurance,
    String assertionReference,
    List<Mapping> attributes) {

  /**
   * One attribute.
   *
   * @param source its name at the provider
   */
  public record Mapping(String source, SubjectAttribute target, String value) {}

  public AuthenticationContext {
    attributes = List.copyOf(attributes);
  }
}
