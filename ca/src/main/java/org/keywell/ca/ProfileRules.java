package org.keywell.ca;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks that turn {@link ProfileSettings} into a {@link CertificateProfile}. */
final class ProfileRules {
  /** X.660: the second arc below 0 and 1 is at most 39; arcs have no leading zero. */
  private static final Pattern OBJECT_IDENTIFIER =
      Pattern.compile(
          "(?:[01]\\.(?:[0-9]|[1-3][0-9])|2\\.(?:0|[1-9][0-9]{0,8}))"
              + "(?:\\.(?:0|[1-9][0-9]{0,38})){1,30}");

  private static final int MAX_URI_LENGTH = 255;

  private ProfileRules() {}

  static Duration within(String setting, @Nullable Duration value, Duration min, Duration max) {
    if (value == null || value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new InvalidProfileException(
          setting, "is " + value + ", and must be within " + min + " and " + max);
    }
    return value;
  }

  static List<String> objectIdentifiers(String setting, List<String> values, int max) {
    requireDistinct(setting, values, max);
    for (String value : values) {
      if (!OBJECT_IDENTIFIER.matcher(value).matches()) {
        throw new InvalidProfileException(
            setting, "has '" + value + "', which is not a dotted object identifier");
      }
    }
    return List.copyOf(values);
  }

  static List<URI> uris(String setting, List<String> values, int max) {
    requireDistinct(setting, values, max);
    return values.stream().map(value -> parse(setting, value)).toList();
  }

  static Optional<URI> uri(String setting, @Nullable String value) {
    return Optional.ofNullable(value).map(present -> parse(setting, present));
  }

  static URI parse(String setting, String value) {
    try {
      URI uri = new URI(value);
      // An IA5String can hold only ASCII; java.net.URI accepts other characters.
      boolean ascii = value.chars().allMatch(c -> c > 0x20 && c < 0x7F);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (ascii && http && uri.getHost() != null && value.length() <= MAX_URI_LENGTH) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Refused below, like any other invalid value.
    }
    throw new InvalidProfileException(
        setting,
        "has '"
            + value
            + "', which is not an absolute http or https URI of at most "
            + MAX_URI_LENGTH
            + " ASCII characters");
  }

  static Set<CertificateProfile.KeyUsage> keyUsage(String setting, List<String> values) {
    Set<CertificateProfile.KeyUsage> usages = EnumSet.noneOf(CertificateProfile.KeyUsage.class);
    for (String value : values) {
      usages.add(
          switch (value) {
            case "digitalSignature" -> CertificateProfile.KeyUsage.DIGITAL_SIGNATURE;
            case "contentCommitment", "nonRepudiation" ->
                CertificateProfile.KeyUsage.CONTENT_COMMITMENT;
            default ->
                throw new InvalidProfileException(
                    setting, "has '" + value + "'; known: digitalSignature, contentCommitment");
          });
    }
    if (usages.isEmpty()) {
      throw new InvalidProfileException(setting, "is empty");
    }
    return Collections.unmodifiableSet(usages);
  }

  static SubjectPolicy subject(String setting, String label) {
    for (SubjectPolicy policy : SubjectPolicy.values()) {
      if (policy.label().equals(label)) {
        return policy;
      }
    }
    throw new InvalidProfileException(
        setting, "is '" + label + "'; known: any, etsi-natural-person");
  }

  static void requireDistinct(String setting, List<String> values, int max) {
    if (values.size() > max) {
      throw new InvalidProfileException(setting, "has more than " + max + " values");
    }
    if (new HashSet<>(values).size() != values.size()) {
      throw new InvalidProfileException(setting, "has a value twice");
    }
  }
}
