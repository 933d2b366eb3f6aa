package org.keywell.ca;

import java.time.Instant;
import java.util.List;

/**
 * How the signer was identified, for inclusion in the certificate (RFC 7773, section 3.1). All
 * strings are valid XML text.
 *
 * @param identityProvider who authenticated the signer
 * @param authenticated when
 * @param levelOfAssurance the authentication context class used
 * @param assertionReference the provider's id of its assertion
 * @param attributes which of the provider's attributes became which part of the subject; at most
 *     {@value #MOST_ATTRIBUTES}
 */
public record AuthenticationContext(
    String identityProvider,
    Instant authenticated,
    String levelOfAssurance,
    String assertionReference,
    List<Mapping> attributes) {

  /** SAML's limit for a provider's name (saml-core-2.0-os, section 8.3.6). */
  public static final int LONGEST_TEXT = 1024;

  /** Exceeds the number of subject attributes: one may combine several of the provider's. */
  public static final int MOST_ATTRIBUTES = 16;

  /**
   * A mapping of one attribute.
   *
   * @param source its name at the provider
   * @param value the provider's value
   */
  public record Mapping(String source, SubjectAttribute target, String value) {
    public Mapping {
      requireText("source", source);
      requireText("value", value);
    }
  }

  /**
   * @throws IllegalArgumentException naming the component that is blank, too long or not XML text
   */
  public AuthenticationContext {
    requireText("identityProvider", identityProvider);
    requireText("levelOfAssurance", levelOfAssurance);
    requireText("assertionReference", assertionReference);
    if (attributes.size() > MOST_ATTRIBUTES) {
      throw new IllegalArgumentException("attributes has more than " + MOST_ATTRIBUTES);
    }
    attributes = List.copyOf(attributes);
  }

  /** Whether the provider can have sent this value: valid XML text, not blank, not too long. */
  public static boolean accepts(String value) {
    return !value.isBlank()
        && value.length() <= LONGEST_TEXT
        && value.codePoints().allMatch(AuthenticationContext::isXmlText);
  }

  private static void requireText(String component, String value) {
    if (!accepts(value)) {
      throw new IllegalArgumentException(
          component
              + " is blank, longer than "
              + LONGEST_TEXT
              + " characters, or has one that XML cannot hold");
    }
  }

  /** Char of XML 1.0, except the control characters that it allows. */
  private static boolean isXmlText(int codePoint) {
    return (codePoint >= 0x20 && codePoint <= 0xD7FF)
        || (codePoint >= 0xE000 && codePoint <= 0xFFFD)
        || codePoint >= 0x10000;
  }
}
