package org.keywell.ca;

import java.time.Instant;
import java.util.List;

/**
 * How the signer was identified, for the certificate to say (RFC 7773, section 3.1). All of it is
 * text that XML can hold.
 *
 * @param identityProvider who authenticated the signer
 * @param authenticated when
 * @param levelOfAssurance the authentication context class by which it was done
 * @param assertionReference the provider's id of what it said
 * @param attributes which of the provider's attributes became which part of the subject; at most
 *     {@value #MOST_ATTRIBUTES}
 */
public record AuthenticationContext(
    String identityProvider,
    Instant authenticated,
    String levelOfAssurance,
    String assertionReference,
    List<Mapping> attributes) {

  /** As long as SAML lets the name of a provider be (saml-core-2.0-os, section 8.3.6). */
  public static final int LONGEST_TEXT = 1024;

  /** More than a subject has attributes: one may be made of several of the provider's. */
  public static final int MOST_ATTRIBUTES = 16;

  /**
   * One attribute.
   *
   * @param source its name at the provider
   * @param value what the provider says
   */
  public record Mapping(String source, SubjectAttribute target, String value) {
    public Mapping {
      requireText("source", source);
      requireText("value", value);
    }
  }

  /**
   * @throws IllegalArgumentException naming the component that is blank, too long or not text
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

  /** Whether this can be what a provider says: text that XML can hold, not blank, not too long. */
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

  /** Char of XML 1.0, but for the controls that it allows. */
  private static boolean isXmlText(int codePoint) {
    return (codePoint >= 0x20 && codePoint <= 0xD7FF)
        || (codePoint >= 0xE000 && codePoint <= 0xFFFD)
        || codePoint >= 0x10000;
  }
}
