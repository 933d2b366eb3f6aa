package org.keywell.identity;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The ticket formats that requests may carry. */
public enum ProofType {
  /** A signed JSON Web Token (RFC 7519), such as an OpenID Connect ID token. */
  JWT,
  /** A SAML 2.0 assertion. */
  SAML;

  /** Returns the name in requests, such as {@code jwt}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ProofType> ofLabel(String label) {
    return Arrays.stream(values()).filter(type -> type.label().equals(label)).findFirst();
  }
}
