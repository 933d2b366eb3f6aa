package org.keywell.identity.jwt;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.AttributeMapping;
import org.keywell.identity.AttributeRule;
import org.keywell.identity.ProviderAddress;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An issuer of JSON Web Tokens: an entry of {@code jwt} in the providers file.
 *
 * @param issuer its exact {@code iss}
 * @param jwks where its public keys are (RFC 7517)
 * @param audiences accepted audiences; each {@code aud} of a ticket must be one of them
 * @param algorithms with which it may sign
 * @param types allowed values of {@code typ}, if a ticket has it
 * @param levelsOfAssurance sufficient values of {@code acr}
 * @param maxAge since the signer was authenticated ({@code auth_time}), and since the ticket was
 *     issued ({@code iat}), 10 s to a day
 * @param clockSkew by how much its clock may differ, 0 to 5 min
 * @param bindingClaim the claim with the {@link RequestBinding}; null: tickets are not bound to a
 *     request
 * @param keysRefreshed how often its keys are refetched, 1 min to a day
 * @param keysKept how long keys are used while none can be fetched, 0 to 7 days
 */
public record JwtProviderSettings(
    String issuer,
    ProviderAddress jwks,
    List<String> audiences,
    @DefaultValue({"ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"})
        Set<String> algorithms,
    @DefaultValue("JWT") List<String> types,
    List<String> levelsOfAssurance,
    @DefaultValue("5m") Duration maxAge,
    @DefaultValue("30s") Duration clockSkew,
    @Nullable String bindingClaim,
    @DefaultValue("5m") Duration keysRefreshed,
    @DefaultValue("1h") Duration keysKept,
    List<AttributeRule> attributes) {

  /** Asymmetric, and in every JDK; {@code none} and MACs are excluded. */
  static final Set<String> ALGORITHMS =
      Set.of("ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512");

  public JwtProviderSettings {
    require(issuer != null && isOneLine(issuer), "issuer is one line of text");
    require(jwks != null, "jwks is missing");
    require(areTexts(audiences), "audiences are missing, or one is blank");
    require(
        !algorithms.isEmpty() && ALGORITHMS.containsAll(algorithms),
        "algorithms are some of " + ALGORITHMS.stream().sorted().toList());
    require(areTexts(types), "types are missing, or one is blank");
    require(areTexts(levelsOfAssurance), "levels-of-assurance are missing, or one is blank");
    requireWithin(maxAge, Duration.ofSeconds(10), Duration.ofDays(1), "max-age");
    requireWithin(clockSkew, Duration.ZERO, Duration.ofMinutes(5), "clock-skew");
    require(bindingClaim == null || !bindingClaim.isBlank(), "binding-claim is blank");
    requireWithin(keysRefreshed, Duration.ofMinutes(1), Duration.ofDays(1), "keys-refreshed");
    requireWithin(keysKept, Duration.ZERO, Duration.ofDays(7), "keys-kept");
    audiences = List.copyOf(audiences);
    algorithms = Set.copyOf(algorithms);
    types = List.copyOf(types);
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
