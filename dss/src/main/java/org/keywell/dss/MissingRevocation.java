package org.keywell.dss;

import java.util.List;

/**
 * A certificate that may have been revoked, as far as could be found out.
 *
 * @param certificate its subject (RFC 4514)
 * @param addresses where it says that the information is; may be empty
 * @param reason why there is none, one sentence without a period
 */
public record MissingRevocation(String certificate, List<String> addresses, String reason) {

  public MissingRevocation {
    addresses = List.copyOf(addresses);
  }

  @Override
  public String toString() {
    return addresses.isEmpty()
        ? certificate + ": " + reason
        : "%s (%s): %s".formatted(certificate, String.join(", ", addresses), reason);
  }
}
