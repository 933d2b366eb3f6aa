package org.keywell.ca;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a qualified certificate as configured, unchecked (RFC 3739, section 3.2.6; ETSI
 * EN 319 412-5). They are claims that the issuer must be entitled to make.
 *
 * @param compliance whether certificates claim to be qualified ({@code QcCompliance}); needs {@code
 *     type}, a policy, subjects that are natural persons, and {@code pds} unless {@code
 *     legislation} is given
 * @param legislation the countries, outside the EU, under whose law they are qualified ({@code
 *     QcCClegislation}), as ISO 3166-1 alpha-2 codes; empty means EU law; at most 10
 * @param sscd whether they claim that the private key is in a qualified signature creation device
 *     ({@code QcSSCD})
 * @param type {@code esign}, for electronic signatures ({@code QcType}); null omits it
 * @param pds where the PKI disclosure statements are ({@code QcPDS}), one of them in English; at
 *     most 10
 * @param naturalPersonSemantics whether they state that {@code serialNumber} has the form of ETSI
 *     EN 319 412-1, clause 5.1.3
 * @param nameRegistrationAuthority who defines local kinds of identifiers, such as {@code EI:}; an
 *     https or http address. Without it, subjects with such a serial number are refused if the
 *     semantics are stated (NAT-5.1.3-05)
 */
public record QcSettings(
    boolean compliance,
    List<String> legislation,
    boolean sscd,
    @Nullable String type,
    List<Pds> pds,
    boolean naturalPersonSemantics,
    @Nullable String nameRegistrationAuthority) {

  /** No statements. */
  public static final QcSettings NONE =
      new QcSettings(false, List.of(), false, null, List.of(), false, null);

  /**
   * A PKI disclosure statement.
   *
   * @param language an ISO 639-1 code, such as {@code en}
   * @param url an https address
   */
  public record Pds(String language, String url) {}
}
