package org.keywell.service.identity.saml;

import java.util.List;
import org.keywell.service.identity.AttributeRule;

/**
 * An issuer of SAML assertions: an entry of {@code saml} in the providers file.
 *
 * @param issuer its entity id
 */
public record SamlProviderSettings(String issuer, List<AttributeRule> attributes) {}
