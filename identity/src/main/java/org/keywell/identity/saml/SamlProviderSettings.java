package org.keywell.identity.saml;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.AttributeMapping;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.ProviderAddress;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An issuer of SAML assertions: an entry of {@code saml} in the providers file.
 *
 * @param issuer its exact entity id
 * @param metadata where its metadata is, alone or together with others'
 * @param metadataCertificate a PEM file: the certificate for the key that signs the metadata
 * @param audiences the entity ids of the e-services whose assertions are accepted
 * @param recipients where those e-services receive them (AssertionConsumerService)
 * @param levelsOfAssurance sufficient values of {@code AuthnContextClassRef}
 * @param maxAge since the signer was authenticated ({@code AuthnInstant}), 10 s to a day
 * @param clockSkew by how much its clock may differ, 0 to 5 min
 */
public record SamlProviderSettings(
    String issuer,
    ProviderAddress metadata,
    Path metadataCertificate,
    List<String> audiences,
    List<String> recipients,
    List<String> levelsOfAssurance,
    @DefaultValue("5m") Duration maxAge,
    @DefaultValue("3m") Duration clockSkew,
    List<AttributeRule> attributes) {

  public SamlProviderSettings {
    require(issuer != null && isOneLine(issuer), "issuer is one line of text");
    require(metadata != null, "metadata is missing");
    require(metadataCertificate != null, "metadata-certificate is missing");
    require(areTexts(audiences), "audiences are missing, or one is blank");
    require(areTexts(recipients), "recipients are missing, or one is blank");
    require(areTexts(levelsOfAssurance), "levels-of-assurance are missing, or one is blank");
    requireWithin(maxAge, Duration.ofSeconds(10), Duration.ofDays(1), "max-age");
    requireWithin(clockSkew, Duration.ZERO, Duration.ofMinutes(5), "clock-skew");
    audiences = List.copyOf(audiences);
    recipients = List.copyOf(recipients);
    levelsOfAssurance = List.copyOf(levelsOfAssurance);
    attributes = attributes == null ? List.of() : List.copyOf(attributes);
    AttributeMapping _ = new AttributeMapping(attributes);
  }

  private static boolean isOneLine(String text) {
    return !text.isBlank() && text.chars().noneMatch(Character::isISOControl);
  }

  private static boolean areTexts(@Nullable List<String> texts) {
    return texts != null && !texts.isEmpty() && texts.stream().noneMatch(String::isBlank);
  }

  private static void requireWithin(Duration value, Duration least, Duration most, String name) {
    require(
        value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
        "%s is %s, expected %s to %s".formatted(name, value, least, most));
  }

  private static void require(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }
}
