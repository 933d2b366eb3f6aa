package org.keywell.dss;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** There is no revocation information for a certificate that needs it. */
public final class RevocationMissingException extends DocumentExtensionException {
  private static final long serialVersionUID = 1L;

  private final transient List<MissingRevocation> missing;

  RevocationMissingException(List<MissingRevocation> missing, @Nullable Throwable cause) {
    super(
        "no revocation information: "
            + missing.stream().map(MissingRevocation::toString).collect(Collectors.joining("; ")),
        cause);
    this.missing = List.copyOf(missing);
  }

  /** Returns each certificate without it; never empty. */
  public List<MissingRevocation> missing() {
    return missing;
  }
}
