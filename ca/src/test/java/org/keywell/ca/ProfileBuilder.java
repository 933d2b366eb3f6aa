package org.keywell.ca;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a profile that differ from the defaults here and there. */
public final class ProfileBuilder {
  private Duration validity = ProfileSettings.defaults().validity();
  private Duration minValidity = ProfileSettings.defaults().minValidity();
  private Duration backdate = ProfileSettings.defaults().backdate();
  private List<String> policies = ProfileSettings.defaults().policies();
  private @Nullable String cpsUri = ProfileSettings.defaults().cpsUri();
  private List<String> crlUris = ProfileSettings.defaults().crlUris();
  private List<String> ocspUris = ProfileSettings.defaults().ocspUris();
  private List<String> caIssuersUris = ProfileSettings.defaults().caIssuersUris();
  private boolean crlsByDay = ProfileSettings.defaults().crlsByDay();
  private List<String> keyUsage = ProfileSettings.defaults().keyUsage();
  private List<String> extendedKeyUsage = ProfileSettings.defaults().extendedKeyUsage();
  private boolean noRevocationAvailable = ProfileSettings.defaults().noRevocationAvailable();
  private boolean validityAssuredShortTerm = ProfileSettings.defaults().validityAssuredShortTerm();
  private String subject = ProfileSettings.defaults().subject();
  private boolean authenticationContext = ProfileSettings.defaults().authenticationContext();
  private QcSettings qcStatements = ProfileSettings.defaults().qcStatements();

  public ProfileBuilder validity(Duration value) {
    validity = value;
    return this;
  }

  public ProfileBuilder minValidity(Duration value) {
    minValidity = value;
    return this;
  }

  public ProfileBuilder backdate(Duration value) {
    backdate = value;
    return this;
  }

  public ProfileBuilder policies(String... values) {
    policies = List.of(values);
    return this;
  }

  public ProfileBuilder cpsUri(String value) {
    cpsUri = value;
    return this;
  }

  public ProfileBuilder crlUris(String... values) {
    crlUris = List.of(values);
    return this;
  }

  public ProfileBuilder ocspUris(String... values) {
    ocspUris = List.of(values);
    return this;
  }

  public ProfileBuilder caIssuersUris(String... values) {
    caIssuersUris = List.of(values);
    return this;
  }

  public ProfileBuilder crlsByDay(boolean value) {
    crlsByDay = value;
    return this;
  }

  public ProfileBuilder keyUsage(String... values) {
    keyUsage = List.of(values);
    return this;
  }

  public ProfileBuilder extendedKeyUsage(String... values) {
    extendedKeyUsage = List.of(values);
    return this;
  }

  public ProfileBuilder noRevocationAvailable(boolean value) {
    noRevocationAvailable = value;
    return this;
  }

  public ProfileBuilder validityAssuredShortTerm(boolean value) {
    validityAssuredShortTerm = value;
    return this;
  }

  public ProfileBuilder subject(String value) {
    subject = value;
    return this;
  }

  public ProfileBuilder authenticationContext(boolean value) {
    authenticationContext = value;
    return this;
  }

  public ProfileBuilder qcStatements(QcSettings value) {
    qcStatements = value;
    return this;
  }

  public ProfileSettings settings() {
    return new ProfileSettings(
        validity,
        minValidity,
        backdate,
        policies,
        cpsUri,
        crlUris,
        ocspUris,
        caIssuersUris,
        crlsByDay,
        keyUsage,
        extendedKeyUsage,
        noRevocationAvailable,
        validityAssuredShortTerm,
        subject,
        authenticationContext,
        qcStatements);
  }

  public CertificateProfile profile() {
    return CertificateProfile.of(settings());
  }
}
