package org.keywell.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.dss.BaselineLevel;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The form of a signature; a bare one if none is given. */
final class DocumentOptions {

  /** Forms of advanced electronic signatures, level B, or T with a time stamp. */
  enum Form {
    PADES,
    XADES,
    CADES,
    JADES,
    ASICE
  }

  private static final URI NONE = URI.create("none");

  @ArgGroup(exclusive = true)
  private @Nullable Choice choice;

  @Mixin private final VisibleOptions visible = new VisibleOptions();

  @Mixin private final PasswordOption password = new PasswordOption();

  @Option(
      names = "--tsa",
      paramLabel = "URL|none",
      description =
          "Add a time stamp from this authority (RFC 3161), for level T instead of B. Given several"
              + " times: from the first that answers. Default: from the service itself, if it makes"
              + " time stamps for its caller; none: level B.")
  private @Nullable List<URI> timestampAuthorities;

  @Option(
      names = "--level",
      paramLabel = "LEVEL",
      converter = LevelConverter.class,
      description =
          "b; t: with a time stamp; lt: with proof that no certificate was revoked; lta: with a time"
              + " stamp over all of that. Default: t if there is a time stamp authority, else b.")
  private @Nullable BaselineLevel level;

  @Option(
      names = "--root",
      paramLabel = "FILE",
      description =
          "PEM certificates to trust when verifying the result: the root of the CA, and of the time"
              + " stamp authority. Default: the root that the service returns.")
  private @Nullable Path root;

  private static final class Choice {
    @Option(
        names = "--pades",
        required = true,
        description = "A signed PDF that readers can verify: FILE-signed.pdf.")
    private boolean pades;

    @Option(
        names = "--xades",
        required = true,
        description =
            "Signed XML: FILE-signed.xml. The signature is inside FILE if its name ends in .xml;"
                + " other content is inside the signature.")
    private boolean xades;

    @Option(
        names = "--cades",
        required = true,
        description = "A detached CMS signature of any file: FILE.p7s.")
    private boolean cades;

    @Option(
        names = "--jades",
        required = true,
        description = "A JSON Web Signature that contains any file: FILE-signed.json.")
    private boolean jades;

    @Option(
        names = "--asice",
        required = true,
        description = "A ZIP container with any file and its signature: FILE.asice.")
    private boolean asice;

    private Form form() {
      if (pades) {
        return Form.PADES;
      }
      if (xades) {
        return Form.XADES;
      }
      if (cades) {
        return Form.CADES;
      }
      if (jades) {
        return Form.JADES;
      }
      if (asice) {
        return Form.ASICE;
      }
      throw new IllegalStateException("picocli makes a choice only where one is made");
    }
  }

  /** Returns null for a bare signature. */
  @Nullable Form form() {
    return choice == null ? null : choice.form();
  }

  VisibleOptions visible() {
    return visible;
  }

  PasswordOption password() {
    return password;
  }

  /** Returns none if the service itself is to be asked, or nobody. */
  List<URI> timestampAuthorities() {
    return isWithoutTimestamp() ? List.of() : named();
  }

  private List<URI> named() {
    return timestampAuthorities == null ? List.of() : timestampAuthorities;
  }

  boolean isWithoutTimestamp() {
    return named().equals(List.of(NONE)) || level == BaselineLevel.B;
  }

  /** Returns null if it depends on the service. */
  @Nullable BaselineLevel level() {
    return level;
  }

  @Nullable Path root() {
    return root;
  }

  /** Returns what is wrong with the options, in words for the user; null if nothing is. */
  @Nullable String mistake() {
    String invisible = visible.mistake(form() == Form.PADES);
    if (invisible != null) {
      return invisible;
    }
    if (password.isGiven() && form() != Form.PADES) {
      return "--password-file goes with --pades";
    }
    if (!named().isEmpty() && form() == null) {
      return "--tsa goes with --pades, --xades, --cades, --jades or --asice";
    }
    if (level != null && form() == null) {
      return "--level goes with --pades, --xades, --cades, --jades or --asice";
    }
    if (level != null && (level == BaselineLevel.B) != isWithoutTimestamp()) {
      return "levels from t on have a time stamp, which --tsa none leaves out";
    }
    if (level == BaselineLevel.B && !named().isEmpty() && !named().equals(List.of(NONE))) {
      return "level b has no time stamp: leave --tsa out";
    }
    for (URI authority : timestampAuthorities()) {
      if (!isAddress(authority)) {
        return NONE.equals(authority)
            ? "--tsa none goes with no other authority"
            : "--tsa '" + authority + "' is no http or https address, and not none";
      }
    }
    return null;
  }

  /** Whether it is the address of a time stamp authority. */
  static boolean isAddress(URI authority) {
    String scheme = String.valueOf(authority.getScheme()).toLowerCase(Locale.ROOT);
    return authority.getHost() != null && scheme.matches("https?");
  }
}
