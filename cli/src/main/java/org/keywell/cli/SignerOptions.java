package org.keywell.cli;

import org.jspecify.annotations.Nullable;
import org.keywell.client.Signer;
import picocli.CommandLine.Option;

/** Options for the subject of the signature's certificate. */
final class SignerOptions {

  @Option(
      names = "--common-name",
      paramLabel = "NAME",
      defaultValue = "${sys:user.name}",
      description = "The signer's name; default: your user name (${DEFAULT-VALUE}).")
  private String commonName = "";

  @Option(names = "--given-name", paramLabel = "NAME", description = "The signer's given name.")
  private @Nullable String givenName;

  @Option(names = "--surname", paramLabel = "NAME", description = "The signer's surname.")
  private @Nullable String surname;

  @Option(
      names = "--serial-number",
      paramLabel = "ID",
      description = "The signer's identifier as in ETSI EN 319 412-1, such as PNOSE-19800101-1234.")
  private @Nullable String serialNumber;

  @Option(names = "--organization", paramLabel = "NAME", description = "The signer's organization.")
  private @Nullable String organization;

  @Option(
      names = "--organizational-unit",
      paramLabel = "NAME",
      description = "The signer's unit within the organization.")
  private @Nullable String organizationalUnit;

  @Option(names = "--country", paramLabel = "CC", description = "Country: two letters, such as SE.")
  private @Nullable String country;

  Signer signer() {
    return new Signer(
        commonName, givenName, surname, serialNumber, organization, organizationalUnit, country);
  }
}
