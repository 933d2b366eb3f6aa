package org.keywell.ca.token;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The address of the token that holds the CA's keys.
 *
 * @param module the PKCS#11 library, an absolute path
 * @param slotId the slot's id, 0 to 2^31 - 1 (the maximum for SunPKCS11), not its position in the
 *     list of slots, which changes when a token is added
 * @param nssArgs NSS softokn's own initialisation parameters, without double quotes; null for
 *     others
 */
public record TokenAddress(Path module, long slotId, @Nullable String nssArgs) {

  /**
   * @throws IllegalArgumentException naming the component that is out of range
   */
  public TokenAddress {
    if (!module.isAbsolute()) {
      throw new IllegalArgumentException("module is not an absolute path: " + module);
    }
    if (slotId < 0 || slotId > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("slotId is " + slotId + ", and must be 0 to 2^31 - 1");
    }
    requireQuotable("module", module.toString());
    if (nssArgs != null) {
      requireQuotable("nssArgs", nssArgs);
    }
  }

  /** SunPKCS11's configuration cannot express these inside a quoted string. */
  private static void requireQuotable(String component, String value) {
    if (value.contains("${")
        || value.chars().anyMatch(c -> c == '"' || c == '\\' || c < 0x20 || c == 0x7F)) {
      throw new IllegalArgumentException(
          component + " has a double quote, a backslash, a control character or '${'");
    }
  }
}
