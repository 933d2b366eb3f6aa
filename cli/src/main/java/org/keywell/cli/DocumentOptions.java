package org.keywell.cli;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The form that a signature takes; a bare one if none is named. */
final class DocumentOptions {

  /** Forms of advanced electronic signatures, level B, or T with a time stamp. */
  enum Form {
    PADES,
    XADES,
    CADES,
    JADES,
    ASICE
  }

  @ArgGroup(exclusive = true)
  private @Nullable Choice choice;

  @Mixin private final VisibleOptions visible = new VisibleOptions();

  @Option(
      names = "--tsa",
      paramLabel = "URL",
      description =
          "Have a time stamp authority (RFC 3161) say when the signature was there: level T"
              + " instead of B.")
  private @Nullable URI timestampAuthority;

  @Option(
      names = "--root",
      paramLabel = "FILE",
      description =
          "PEM certificates to trust when the result is verified: the CA's root, and the time"
              + " stamp authority's. Without it the service's own word is taken.")
  private @Nullable Path root;

  private static final class Choice {
    @Option(
        names = "--pades",
        required = true,
        description = "A signed PDF: FILE-signed.pdf, which readers check.")
    private boolean pades;

    @Option(
        names = "--xades",
        required = true,
        description =
            "Signed XML: FILE-signed.xml. The signature is within FILE if that is XML; other"
                + " content is within the signature.")
    private boolean xades;

    @Option(
        names = "--cades",
        required = true,
        description = "A CMS signature beside any file: FILE.p7s.")
    private boolean cades;

    @Option(
        names = "--jades",
        required = true,
        description = "A JSON Web Signature with any file within: FILE-signed.json.")
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

  /** Null for a bare signature. */
  @Nullable Form form() {
    return choice == null ? null : choice.form();
  }

  VisibleOptions visible() {
    return visible;
  }

  @Nullable URI timestampAuthority() {
    return timestampAuthority;
  }

  @Nullable Path root() {
    return root;
  }

  /** What does not go together, in words for who typed it; null if all does. */
  @Nullable String mistake() {
    String invisible = visible.mistake(form() == Form.PADES);
    if (invisible != null) {
      return invisible;
    }
    if (timestampAuthority != null) {
      if (form() == null) {
        return "--tsa goes with --pades, --xades, --cades, --jades or --asice";
      }
      String scheme = String.valueOf(timestampAuthority.getScheme()).toLowerCase(Locale.ROOT);
      if (timestampAuthority.getHost() == null || !scheme.matches("https?")) {
        return "--tsa '" + timestampAuthority + "' is no http or https address";
      }
    }
    return null;
  }
}
