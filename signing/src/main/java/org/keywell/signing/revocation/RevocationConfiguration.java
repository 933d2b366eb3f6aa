package org.keywell.signing.revocation;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.keypool.log.LogPace;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;
import org.keywell.signing.ca.RootInToken;
import org.keywell.signing.database.OwnedDatabaseConfiguration;
import org.keywell.signing.log.LogWriter;
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
      LongSupplier nanoClock) {
    return new ListPublisher(
        new ListTable(dataSource),
        properties.ca().crl(),
        profiles.longestListed(),
        () -> cas.all().stream().map(RevocationConfiguration::signer).toList(),
        () -> root.certificate().map(certificate -> signer(certificate, root)),
        clock,
        new LogPace(nanoClock));
  }

  private static ListSigner signer(CaWatch ca) {
    X509Certificate certificate = ca.chain().getFirst();
    return new ListSigner(
        CrlShard.issuer(certificate), certificate.getNotAfter().toInstant(), ca::sign);
  }

  private static ListSigner signer(X509Certificate certificate, RootInToken root) {
    return new ListSigner(
        CrlShard.issuer(certificate), certificate.getNotAfter().toInstant(), root::sign);
  }

  @Bean
  Revocations revocations(
      DataSource dataSource,
      LogWriter log,
      CertificateProfiles profiles,
      IssuingCas cas,
      ListPublisher publisher,
      KeywellProperties properties,
      InstantSource clock) {
    return new Revocations(
        new RevocationTable(dataSource, log),
        () -> cas.all().stream().map(ca -> ca.chain().getFirst()).toList(),
        publisher::wake,
        profiles.longestListed(),
        clock,
        properties.instance());
  }

  @Bean
  PublishedLists publishedLists(@Qualifier(OwnedDatabaseConfiguration.READS) DataSource reads) {
    return new PublishedLists(new ListTable(reads));
  }
}
