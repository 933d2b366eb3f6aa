package org.keywell.client;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Who signs: the attributes for the subject of the one-time certificate.
 *
 * @param commonName the signer's name as people write it
 * @param serialNumber identifies the signer, in the form of ETSI EN 319 412-1, such as {@code
 *     PNOSE-19800101-1234}
 * @param country two letters (ISO 3166-1)
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Signer(
    String commonName,
    @Nullable String givenName,
    @Nullable String surname,
    @Nullable String serialNumber,
    @Nullable String organization,
    @Nullable String organizationalUnit,
    @Nullable String country) {

  /** Returns a signer with only a name. */
  public static Signer named(String commonName) {
    return new Signer(commonName, null, null, null, null, null, null);
  }
}
