package org.keywell.signing.caller;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.issuance.ExactName;
import org.keywell.keypool.hsm.KeySpec;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/** An unchecked entry of the callers file; docs/CONFIGURATION.md describes each field. */
record CallerEntry(
    @Nullable String name,
    @Nullable Certificate certificate,
    @Nullable String brokerUser,
    @DefaultValue Set<Role> roles,
    @DefaultValue Set<KeySpec> keySpecs,
    @DefaultValue List<String> profiles,
    @DefaultValue("required") IdentityPolicy identity,
    @DefaultValue("0") int ratePerSecond,
    @Nullable Integer burst,
    @DefaultValue("0") long dailyQuota,
    @DefaultValue("50") int queueSharePercent) {

  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._-]{0,62}");

  /** Of a user at a message broker. */
  private static final int LONGEST_USER = 128;

  /** domainComponent and emailAddress (PKCS #9). */
  private static final Set<String> ASCII_TYPES =
      Set.of("0.9.2342.19200300.100.1.25", "1.2.840.113549.1.9.1");

  private static final Pattern SHA_256 = Pattern.compile("[0-9A-Fa-f]{64}");

  /** What identifies the caller's certificate; exactly one must be set. */
  record Certificate(
      @Nullable String subject,
      @Nullable String sanDns,
      @Nullable String sanUri,
      @Name("sha256") @Nullable String fingerprint) {}

  /**
   * @param known tests whether a certificate profile exists
   * @throws IllegalArgumentException naming the invalid field
   */
  Caller toCaller(Predicate<String> known) {
    if (name == null || !NAME.matcher(name).matches() || name.equals(Caller.LOOPBACK)) {
      throw new IllegalArgumentException(
          "name has 1 to 63 of a-z 0-9 . _ -, begins with a letter or digit, and is not "
              + Caller.LOOPBACK);
    }
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          Stream.of(Role.values())
              .map(Role::label)
              .collect(Collectors.joining(", ", "roles has none of ", "")));
    }
    for (String profile : profiles) {
      if (!known.test(profile)) {
        throw new IllegalArgumentException("profiles: there is no profile '" + profile + "'");
      }
    }
    return new Caller(
        name,
        roles,
        keySpecs,
        profiles,
        identity,
        new CallerLimits(
            ratePerSecond, burst == null ? ratePerSecond : burst, dailyQuota, queueSharePercent));
  }

  /**
   * Returns what identifies the caller: its certificate, its user at a message broker, or both.
   *
   * @throws IllegalArgumentException if there is neither, or one that no caller can have
   */
  List<CallerName> toNames() {
    List<CallerName> names = new ArrayList<>();
    if (certificate != null || brokerUser == null) {
      names.add(toCertificateName());
    }
    if (brokerUser != null) {
      if (brokerUser.isBlank() || brokerUser.length() > LONGEST_USER) {
        throw new IllegalArgumentException("broker-user has 1 to " + LONGEST_USER + " characters");
      }
      names.add(new CallerName.BrokerUser(brokerUser));
    }
    return names;
  }

  private CertificateName toCertificateName() {
    List<CertificateName> names = new ArrayList<>();
    if (certificate != null) {
      if (certificate.subject() != null) {
        names.add(subject(certificate.subject()));
      }
      if (certificate.sanDns() != null) {
        names.add(new CertificateName.SanDns(certificate.sanDns()));
      }
      if (certificate.sanUri() != null) {
        names.add(new CertificateName.SanUri(certificate.sanUri()));
      }
      if (certificate.fingerprint() != null) {
        names.add(fingerprint(certificate.fingerprint()));
      }
    }
    if (names.size() != 1) {
      throw new IllegalArgumentException(
          "certificate has exactly one of subject, san-dns, san-uri, sha256");
    }
    return names.getFirst();
  }

  private static CertificateName subject(String subject) {
    ExactName name =
        ExactName.of(new X500Principal(subject))
            .orElseThrow(() -> new IllegalArgumentException("certificate.subject is no name"));
    if (name.relativeNames().isEmpty()) {
      throw new IllegalArgumentException("certificate.subject is empty");
    }
    requireAscii(name);
    return new CertificateName.Subject(name);
  }

  /** Java writes {@code ?} for non-ASCII characters in the two ASCII-only attribute types. */
  private static void requireAscii(ExactName name) {
    for (List<ExactName.Attribute> relativeName : name.relativeNames()) {
      for (ExactName.Attribute attribute : relativeName) {
        if (ASCII_TYPES.contains(attribute.type()) && attribute.value().contains("?")) {
          throw new IllegalArgumentException(
              "certificate.subject: DC and EMAILADDRESS are ASCII without ?");
        }
      }
    }
  }

  private static CertificateName fingerprint(String sha256) {
    if (!SHA_256.matcher(sha256).matches()) {
      throw new IllegalArgumentException("certificate.sha256 has 64 hexadecimal digits");
    }
    return new CertificateName.Fingerprint(sha256.toLowerCase(Locale.ROOT));
  }
}
