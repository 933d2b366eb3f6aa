package org.keywell.signing.revocation;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.keypool.log.LogPace;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.ca.RootInToken;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.log.LogWriter;
import org.keywell.signing.sign.CallerReads;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Revocation of certificates. */
@Configuration(proxyBeanMethods = false)
public class RevocationConfiguration {

  // The lifecycle starts and ends its thread.
  @Bean(destroyMethod = "")
  ListPublisher listPublisher(
      DataSource dataSource,
      KeywellProperties properties,
      CertificateProfiles profiles,
      IssuingCas cas,
      RootInToken root,
      InstantSource clock,
      DatabaseClock databaseClock,
      LongSupplier nanoClock) {
    return new ListPublisher(
        new ListTable(dataSource),
        properties.ca().crl(),
        profiles.longestListed(),
        () -> cas.all().stream().flatMap(RevocationConfiguration::signers).toList(),
        () ->
            root.certificates(cas.roots()).stream()
                .map(certificate -> signer(certificate, true, root::sign))
                .toList(),
        clock,
        databaseClock::isInDoubt,
        new LogPace(nanoClock));
  }

  private static Stream<ListSigner> signers(CaWatch ca) {
    List<X509Certificate> newestFirst = certificates(ca).toList();
    int certifying = newestFirst.indexOf(ca.chain().getFirst());
    return newestFirst.stream()
        .map(each -> signer(each, newestFirst.indexOf(each) <= certifying, ca::sign));
  }

  private static Stream<X509Certificate> certificates(CaWatch ca) {
    return ca.chains().stream().map(List::getFirst);
  }

  private static ListSigner signer(
      X509Certificate certificate,
      boolean certifies,
      Function<RevocationList, ListAnswer> signature) {
    return new ListSigner(
        CrlShard.issuer(certificate), certificate.getNotAfter().toInstant(), certifies, signature);
  }

  @Bean
  Revocations revocations(
      DataSource dataSource,
      LogWriter log,
      CertificateProfiles profiles,
      IssuingCas cas,
      ListPublisher publisher,
      KeywellProperties properties,
      InstantSource clock,
      DatabaseClock databaseClock) {
    return new Revocations(
        new RevocationTable(dataSource, log),
        () -> cas.all().stream().flatMap(RevocationConfiguration::certificates).toList(),
        publisher::wake,
        profiles.longestListed(),
        clock,
        databaseClock::isInDoubt,
        properties.instance());
  }

  @Bean
  OcspAnswers ocspAnswers(
      @Qualifier(OwnedDatabaseConfiguration.READS) DataSource source,
      CallerReads reads,
      KeywellProperties properties,
      IssuingCas cas,
      InstantSource clock,
      DatabaseClock databaseClock,
      OcspListener listener) {
    return new OcspAnswers(
        properties.ca(),
        cas::all,
        new StatusTable(source),
        reads,
        clock,
        databaseClock::isInDoubt,
        listener);
  }

  @Bean
  PublishedLists publishedLists(@Qualifier(OwnedDatabaseConfiguration.READS) DataSource reads) {
    return new PublishedLists(new ListTable(reads));
  }
}
