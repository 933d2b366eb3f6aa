package org.keywell.identity.provider;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.jwt.JwtProviderSettings;
import org.keywell.identity.saml.SamlProviderSettings;
import org.keywell.settings.StrictYaml;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The providers file: the issuers of tickets that prove who signs.
 *
 * @param jwt issuers of JSON Web Tokens, each named once
 * @param saml issuers of SAML assertions, each named once
 */
public record IdentityProviders(
    @DefaultValue List<JwtProviderSettings> jwt, @DefaultValue List<SamlProviderSettings> saml) {

  static final IdentityProviders NONE = new IdentityProviders(List.of(), List.of());

  private static final String KEY = "identity";

  public IdentityProviders {
    jwt = List.copyOf(jwt);
    saml = List.copyOf(saml);
    requireUnique(jwt.stream().map(JwtProviderSettings::issuer), "jwt");
    requireUnique(saml.stream().map(SamlProviderSettings::issuer), "saml");
  }

  /**
   * Reads the file.
   *
   * @param file null: there are no providers
   * @throws org.keywell.settings.StartRefusedException if the file cannot be read or is invalid
   */
  static IdentityProviders read(@Nullable Path file) {
    return file == null ? NONE : StrictYaml.read(file, KEY, IdentityProviders.class);
  }

  private static void requireUnique(Stream<String> issuers, String list) {
    Set<String> seen = new HashSet<>();
    issuers
        .filter(issuer -> !seen.add(issuer))
        .findFirst()
        .ifPresent(twice -> {
          throw new IllegalArgumentException(list + " names the issuer " + twice + " twice");
        });
  }
}
