package org.keywell.ca.token;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.keywell.ca.Subject;

/**
 * Settings for what the bootstrap creates.
 *
 * @param rootLabel label of the root's key in the token
 * @param issuingLabel label of the issuing CA's key in the token
 * @param rootName the root's distinguished name
 * @param issuingName the issuing CA's distinguished name, different from the root's
 * @param rootValidity 1 day to 30 years of 365 days
 * @param issuingValidity 1 day to {@code rootValidity}; cut to what remains of the root's
 * @param lists where the CA's own lists of revoked certificates are published, for certificates to
 *     name; ends with a slash
 */
public record CaSettings(
    String rootLabel,
    String issuingLabel,
    Subject rootName,
    Subject issuingName,
    CaKeySpec rootKey,
    CaKeySpec issuingKey,
    Duration rootValidity,
    Duration issuingValidity,
    Optional<URI> lists) {
  private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9._-]{1,32}");
  private static final Duration MIN_VALIDITY = Duration.ofDays(1);
  private static final Duration MAX_VALIDITY = Duration.ofDays(30 * 365);

  /**
   * @throws IllegalArgumentException naming the component that is out of range
   */
  public CaSettings {
    requireLabel("rootLabel", rootLabel);
    requireLabel("issuingLabel", issuingLabel);
    if (rootLabel.equals(issuingLabel)) {
      throw new IllegalArgumentException("issuingLabel is the same as rootLabel");
    }
    if (rootName.equals(issuingName)) {
      throw new IllegalArgumentException("issuingName is the same as rootName");
    }
    requireWithin("rootValidity", rootValidity, MAX_VALIDITY);
    requireWithin("issuingValidity", issuingValidity, rootValidity);
  }

  /** Returns labels {@code keywell-root} and {@code keywell-issuing}, EC P-256, 20 and 10 years. */
  public static CaSettings defaults(Subject rootName, Subject issuingName) {
    return new CaSettings(
        "keywell-root",
        "keywell-issuing",
        rootName,
        issuingName,
        CaKeySpec.EC_P256,
        CaKeySpec.EC_P256,
        Duration.ofDays(20 * 365),
        Duration.ofDays(10 * 365),
        Optional.empty());
  }

  /** Returns the name of a root that follows others, with its number from 2 on. */
  Subject rootName(int generation) {
    String commonName = rootName.commonName() + " " + generation;
    return new Subject(
        commonName, null, null, null, rootName.organization(), null, rootName.country());
  }

  private static void requireLabel(String component, String value) {
    if (!LABEL.matcher(value).matches()) {
      throw new IllegalArgumentException(
          component + " is not 1 to 32 of A-Z, a-z, 0-9, dot, underscore and hyphen");
    }
  }

  private static void requireWithin(String component, Duration value, Duration max) {
    if (value.compareTo(MIN_VALIDITY) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException(
          component + " is " + value + ", and must be within " + MIN_VALIDITY + " and " + max);
    }
  }
}
