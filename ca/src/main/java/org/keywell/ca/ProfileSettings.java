package org.keywell.ca;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate profile as configured, unchecked; {@link CertificateProfile#of} checks it.
 *
 * @param validity from the moment of issue to {@code notAfter}; 1 minute to 3653 days
 * @param minValidity the CA issues nothing that would be valid for less because its own
 *     certificates expire; 1 second to {@code validity}
 * @param backdate from {@code notBefore} to the moment of issue, for relying parties with slow
 *     clocks; zero to 24 hours
 * @param policies object identifiers of certificate policies, in dotted form; at most 10
 * @param cpsUri where the certification practice statement is; belongs to the first policy
 * @param crlUris CRL distribution points; at most 5
 * @param ocspUris URIs of OCSP responders (authority information access); at most 5
 * @param caIssuersUris URIs of the issuing CA's certificate (authority information access); at most
 *     5
 * @param keyUsage {@code contentCommitment} (the older name {@code nonRepudiation} is accepted) and
 *     {@code digitalSignature}, at least one
 * @param extendedKeyUsage object identifiers in dotted form, such as {@code 1.3.6.1.5.5.7.3.36}
 *     (document signing, RFC 9336); at most 10, an empty list omits the extension
 * @param crlsByDay whether each certificate names the CA's own list of its issuer and day; excludes
 *     {@code crlUris}
 * @param noRevocationAvailable whether certificates state that no revocation information will ever
 *     exist (RFC 9608), which suits a key that is destroyed before anyone could misuse it; excludes
 *     {@code crlUris} and {@code ocspUris}
 * @param validityAssuredShortTerm whether certificates state that their validity is assured because
 *     they expire before a revocation could be published (ETSI EN 319 412-1, clause 5.2.2); then
 *     {@code backdate} and {@code validity} add up to at most 24 hours, and without {@code crlUris}
 *     and {@code ocspUris} it needs {@code noRevocationAvailable} (EN 319 412-2, GEN-4.3.11-2A)
 * @param subject the label of a {@link SubjectPolicy}
 * @param authenticationContext whether certificates state how the signer was identified (RFC 7773),
 *     if known
 * @param qcStatements the statements of a qualified certificate
 */
public record ProfileSettings(
    Duration validity,
    Duration minValidity,
    Duration backdate,
    List<String> policies,
    @Nullable String cpsUri,
    List<String> crlUris,
    List<String> ocspUris,
    List<String> caIssuersUris,
    boolean crlsByDay,
    List<String> keyUsage,
    List<String> extendedKeyUsage,
    boolean noRevocationAvailable,
    boolean validityAssuredShortTerm,
    String subject,
    boolean authenticationContext,
    QcSettings qcStatements) {

  /**
   * Returns the defaults: valid for one day and at least one minute, backdated by one minute; only
   * key usage {@code contentCommitment}, type A of ETSI EN 319 412-2, clause 4.3.2, which prefers
   * unmixed usages; of the options only how the signer was identified.
   */
  public static ProfileSettings defaults() {
    return new ProfileSettings(
        Duration.ofDays(1),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        List.of(),
        null,
        List.of(),
        List.of(),
        List.of(),
        false,
        List.of("contentCommitment"),
        List.of(),
        false,
        false,
        SubjectPolicy.ANY.label(),
        true,
        QcSettings.NONE);
  }
}
