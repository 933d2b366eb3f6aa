package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider's ticket, which says who signs.
 *
 * @param type {@code jwt} or {@code saml}
 * @param value a signed token in its compact form; or an assertion, as XML in base64
 * @param inResponseTo with {@code saml}: the id of the request that it answers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdentityProof(String type, String value, @Nullable String inResponseTo) {

  /** Whoever has a ticket can use it. */
  @Override
  public String toString() {
    return "IdentityProof[type=" + type + "]";
  }
}
