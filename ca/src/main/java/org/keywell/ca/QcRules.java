package org.keywell.ca;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checks that turn {@link QcSettings} into {@link QcStatements}. */
final class QcRules {
  private static final Set<String> COUNTRIES = Set.of(Locale.getISOCountries());
  private static final Set<String> LANGUAGES = Set.of(Locale.getISOLanguages());
  private static final int MOST = 10;

  private QcRules() {}

  static List<String> countries(List<String> values) {
    String setting = "qcStatements.legislation";
    ProfileRules.requireDistinct(setting, values, MOST);
    for (String value : values) {
      if (!COUNTRIES.contains(value)) {
        throw new InvalidProfileException(
            setting, "has '" + value + "', which is not an ISO 3166-1 alpha-2 code in capitals");
      }
    }
    return List.copyOf(values);
  }

  static boolean isElectronicSignature(@Nullable String type) {
    if (type != null && !type.equals("esign")) {
      throw new InvalidProfileException("qcStatements.type", "is '" + type + "'; known: esign");
    }
    return type != null;
  }

  /** ETSI EN 319 412-5, clause 4.3.4: https, ISO 639-1 languages, one of them English. */
  static List<QcStatements.Pds> pds(List<QcSettings.Pds> values) {
    String setting = "qcStatements.pds";
    List<String> languages = values.stream().map(QcSettings.Pds::language).toList();
    ProfileRules.requireDistinct(setting, languages, MOST);
    if (!languages.isEmpty() && !languages.contains("en")) {
      throw new InvalidProfileException(setting, "has none in English (language en)");
    }
    return values.stream().map(QcRules::pds).toList();
  }

  private static QcStatements.Pds pds(QcSettings.Pds value) {
    if (value.language().length() != 2 || !LANGUAGES.contains(value.language())) {
      throw new InvalidProfileException(
          "qcStatements.pds", "has language '" + value.language() + "', not an ISO 639-1 code");
    }
    URI url = ProfileRules.parse("qcStatements.pds", value.url());
    if (!"https".equals(url.getScheme())) {
      throw new InvalidProfileException(
          "qcStatements.pds", "has '" + url + "', which is not https");
    }
    return new QcStatements.Pds(value.language(), url);
  }
}
