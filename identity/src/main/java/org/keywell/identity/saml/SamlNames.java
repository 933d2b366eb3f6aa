package org.keywell.identity.saml;

/** Names defined by the standards. */
final class SamlNames {

  static final String ASSERTION_NS = "urn:oasis:names:tc:SAML:2.0:assertion";
  static final String PROTOCOL_NS = "urn:oasis:names:tc:SAML:2.0:protocol";
  static final String METADATA_NS = "urn:oasis:names:tc:SAML:2.0:metadata";

  static final String SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success";
  static final String BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
  static final String ENTITY_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity";

  private SamlNames() {}
}
