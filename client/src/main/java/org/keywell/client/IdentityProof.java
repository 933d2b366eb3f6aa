package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An identity provider's ticket, which identifies the signer.
 *
 * @param type {@code jwt} or {@code saml}
 * @param value a signed token in compact form; or an assertion, as base64-encoded XML
 * @param inResponseTo with {@code saml}: the id of the request that it answers
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdentityProof(String type, String value, @Nullable String inResponseTo) {

  /** Omits the ticket: anyone who has it can use it. */
  @Override
  public String toString() {
    return "IdentityProof[type=" + type + "]";
  }
}
