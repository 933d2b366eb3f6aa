package org.keywell.ca;

import java.time.Instant;
import java.util.List;

/** How somebody was identified. */
public final class SampleAuthentication {
  public static final Subject SIXTEN =
      new Subject(
          "Sixten von Samordnungsnummer",
          "Sixten",
          "von Samordnungsnummer",
          "PNOSE-197010632391",
          null,
          null,
          "SE");

  private SampleAuthentication() {}

  public static AuthenticationContext ofSixten() {
    return new AuthenticationContext(
        "https://idp.example/saml?a=1&b=2",
        Instant.parse("2026-11-22T10:00:00.123456Z"),
        "http://id.elegnamnden.se/loa/1.0/loa3",
        "_8db6eb9e8dc043d554eaa0dad145cfda",
        List.of(
            of("urn:oid:1.2.752.29.4.13", SubjectAttribute.SERIAL_NUMBER, "197010632391"),
            of("urn:oid:2.5.4.6", SubjectAttribute.COUNTRY, "SE"),
            of("urn:oid:2.5.4.42", SubjectAttribute.GIVEN_NAME, "Sixten"),
            of("urn:oid:2.5.4.4", SubjectAttribute.SURNAME, "von Samordnungsnummer"),
            of(
                "urn:oid:2.16.840.1.113730.3.1.241",
                SubjectAttribute.COMMON_NAME,
                "Sixten von Samordnungsnummer")));
  }

  private static AuthenticationContext.Mapping of(
      String source, SubjectAttribute target, String value) {
    return new AuthenticationContext.Mapping(source, target, value);
  }
}
