package org.keywell.rest.tls;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The authorities whose certificates a port accepts. */
record Authorities(Set<TrustAnchor> anchors) {

  static Authorities of(Iterable<@Nullable KeyStore> stores) {
    Set<TrustAnchor> anchors = new HashSet<>();
    for (KeyStore store : stores) {
      if (store != null) {
        anchors.addAll(anchors(store));
      }
    }
    return new Authorities(Set.copyOf(anchors));
  }

  private static List<TrustAnchor> anchors(KeyStore store) {
    List<TrustAnchor> anchors = new ArrayList<>();
    try {
      for (String alias : Collections.list(store.aliases())) {
        Certificate certificate = store.getCertificate(alias);
        if (store.isCertificateEntry(alias) && certificate instanceof X509Certificate authority) {
          anchors.add(new TrustAnchor(authority, null));
        }
      }
    } catch (KeyStoreException e) {
      throw new IllegalStateException("the trust store is not loaded", e);
    }
    return anchors;
  }

  /**
   * Returns the certificates from the caller's to an authority's, each signed by the next; only the
   * caller's if the port trusts it directly. Empty: no authority vouches for it.
   *
   * @param chain what the caller presented, its own first
   */
  List<X509Certificate> path(List<X509Certificate> chain, Instant now) {
    if (anchors.isEmpty()) {
      return List.of();
    }
    try {
      X509CertSelector target = new X509CertSelector();
      target.setCertificate(chain.getFirst());
      PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, target);
      parameters.addCertStore(
          CertStore.getInstance("Collection", new CollectionCertStoreParameters(chain)));
      parameters.setRevocationEnabled(false);
      parameters.setDate(Date.from(now));
      PKIXCertPathBuilderResult built =
          (PKIXCertPathBuilderResult) CertPathBuilder.getInstance("PKIX").build(parameters);
      List<X509Certificate> path = new ArrayList<>();
      for (Certificate certificate : built.getCertPath().getCertificates()) {
        path.add((X509Certificate) certificate);
      }
      path.add(built.getTrustAnchor().getTrustedCert());
      return List.copyOf(path);
    } catch (CertPathBuilderException e) {
      return List.of();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has PKIX", e);
    }
  }
}
