package org.keywell.ca.token;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.keywell.ca.ServerNames;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.DistinguishedNames;

/**
 * Creates the CA's keys and certificates in the token if they are missing. An explicit operator
 * step, not part of a start; only one process at a time may run it. Never replaces existing keys.
 */
public final class CaBootstrap {
  private final TokenKeyStore store;
  private final CaKeyMaker keys;
  private final CaSettings settings;
  private final CaCertificates certificates;
  private final InstantSource clock;

  private CaBootstrap(
      TokenAddress address,
      TokenKeyStore store,
      CaSettings settings,
      InstantSource clock,
      SecureRandom random) {
    this.store = store;
    this.keys = new CaKeyMaker(address, store);
    this.settings = settings;
    this.certificates = new CaCertificates(random, settings.lists());
    this.clock = clock;
  }

  /**
   * Opens the token as {@link CaToken#open} does.
   *
   * @param pin not kept; the caller wipes it
   * @throws CaTokenException {@code UNAVAILABLE}, {@code PIN_REFUSED} or {@code FAILED}
   */
  public static CaBootstrap open(
      TokenAddress address,
      char[] pin,
      CaSettings settings,
      InstantSource clock,
      SecureRandom random) {
    TokenKeyStore store = TokenKeyStore.open(Providers.using(address), pin);
    return new CaBootstrap(address, store, settings, clock, random);
  }

  /**
   * Ensures that an issuing CA exists, under its own root unless it has another. Idempotent.
   *
   * @throws CaTokenException {@code AWAITING_CHAIN} after {@link #issuingRequest()}; {@code
   *     CHAIN_REFUSED} if the existing or the new chain is not valid; {@code KEY_EXPOSED} if a CA
   *     key could be read out; {@code UNAVAILABLE} or {@code FAILED}
   */
  public BootstrapReport ensure() {
    Instant now = clock.instant();
    Optional<BootstrapReport> existing = existing(now);
    if (existing.isPresent()) {
      return existing.get();
    }
    Optional<StoredKey> existingRoot = store.find(settings.rootLabel());
    StoredKey root = existingRoot.orElseGet(() -> makeRoot(now));
    X500Name name = DistinguishedNames.of(settings.issuingName());
    StoredKey issuing = makeIssuing(name, caKey(root), root.chain().getFirst(), now);
    return new BootstrapReport(existingRoot.isEmpty(), true, issuing.chain());
  }

  /**
   * Ensures that this token has an issuing CA with the same name as another token's, with its own
   * key, under the root whose key is in the other token. Idempotent.
   *
   * @param first what {@link #ensure} was run on
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if the key is missing and the root's key is
   *     not in the other token; otherwise as {@link #ensure}
   */
  public BootstrapReport ensureBeside(CaBootstrap first) {
    Instant now = clock.instant();
    return existing(now).orElseGet(() -> makeBeside(first, now));
  }

  /**
   * Ensures that the token has a key on P-256 that signs for the service itself. Idempotent.
   *
   * @return whether it was created
   * @throws CaTokenException {@code KEY_EXPOSED}, {@code UNAVAILABLE} or {@code FAILED}
   */
  public boolean ensureSigningKey(String label) {
    if (store.find(label).isPresent()) {
      return false;
    }
    StoredKey _ =
        keys.make(
            label,
            CaKeySpec.EC_P256,
            // Its own name: SunPKCS11 finds the certificates of a chain by their subjects.
            pair ->
                List.of(
                    certificates.placeholder(pair, Subject.ofCommonName(label), clock.instant())));
    return true;
  }

  /**
   * Ensures that the token has a key on P-256 for time stamps, certified by the issuing CA in the
   * same token for nothing else. Idempotent.
   *
   * @param validity of the certificate; cut to that of the issuing CA's
   * @return whether it was created
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} or {@code AWAITING_CHAIN} if the issuing CA
   *     has no certificate; {@code KEY_EXPOSED}, {@code UNAVAILABLE} or {@code FAILED}
   */
  public boolean ensureTimeStampKey(String label, Subject name, Duration validity) {
    if (store.find(label).isPresent()) {
      return false;
    }
    Instant now = clock.instant();
    if (existing(now).isEmpty()) {
      throw new CaTokenException(
          CaTokenException.Reason.NOT_BOOTSTRAPPED,
          "the token has no CA key " + settings.issuingLabel());
    }
    StoredKey issuing = store.find(settings.issuingLabel()).orElseThrow();
    StoredKey _ =
        keys.make(
            label,
            CaKeySpec.EC_P256,
            pair ->
                Stream.concat(
                        Stream.of(
                            certificates.timeStamping(
                                pair,
                                name,
                                caKey(issuing),
                                issuing.chain().getFirst(),
                                now,
                                validity)),
                        issuing.chain().stream())
                    .toList());
    return true;
  }

  /**
   * Returns a PKCS#10 request in PEM for a key of {@link #ensureSigningKey}, for a certificate of a
   * server.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public String serverRequest(String label, ServerNames names) {
    StoredKey key =
        store
            .find(label)
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no key '" + label + "'"));
    return PemCertificates.text(certificates.request(caKey(key), names));
  }

  private BootstrapReport makeBeside(CaBootstrap first, Instant now) {
    List<X509Certificate> chain = first.chain().orElse(List.of());
    StoredKey root =
        first
            .store
            .find(settings.rootLabel())
            // It may be an old root; then another CA has signed the issuing certificate.
            .filter(key -> chain.size() == 2 && key.chain().equals(chain.subList(1, 2)))
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no CA key "
                        + settings.issuingLabel()
                        + ", and its root is elsewhere: make a request"));
    X500Name name = X500Name.getInstance(chain.getFirst().getSubjectX500Principal().getEncoded());
    StoredKey issuing = makeIssuing(name, first.caKey(root), chain.getLast(), now);
    return new BootstrapReport(false, true, issuing.chain());
  }

  private Optional<BootstrapReport> existing(Instant now) {
    Optional<StoredKey> existing = store.find(settings.issuingLabel());
    if (existing.isEmpty()) {
      return Optional.empty();
    }
    if (existing.get().awaitsChain()) {
      throw new CaTokenException(
          CaTokenException.Reason.AWAITING_CHAIN,
          "CA key " + settings.issuingLabel() + " waits for the answer to its request");
    }
    IssuingChain.check(existing.get().chain(), now);
    return Optional.of(new BootstrapReport(false, false, existing.get().chain()));
  }

  /**
   * Returns the issuing CA's chain; empty if there is no key or it awaits its certificate.
   *
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public Optional<List<X509Certificate>> chain() {
    return store
        .find(settings.issuingLabel())
        .filter(key -> !key.awaitsChain())
        .map(StoredKey::chain);
  }

  /**
   * Returns a PKCS#10 request in PEM for the issuing CA's key, for a root that is elsewhere.
   * Generates the key if it is missing; can be repeated, also to renew a certificate.
   *
   * @throws CaTokenException {@code UNAVAILABLE}, {@code KEY_EXPOSED} or {@code FAILED}
   */
  public String issuingRequest() {
    StoredKey key =
        store
            .find(settings.issuingLabel())
            .orElseGet(() ->
                keys.make(
                    settings.issuingLabel(),
                    settings.issuingKey(),
                    pair -> List.of(placeholder(pair))));
    return PemCertificates.text(certificates.request(caKey(key), settings.issuingName()));
  }

  /**
   * Imports the answer to {@link #issuingRequest()}: the issuing certificate and all above it up to
   * a self-signed root, in any order. Verifies everything before it changes the token. If the token
   * then does not return what was stored, puts the previous certificates back.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if there is no issuing key; {@code
   *     CHAIN_REFUSED} with what is wrong; {@code KEY_EXPOSED} or {@code FAILED}
   */
  public List<X509Certificate> importChain(String pem) {
    StoredKey key =
        store
            .find(settings.issuingLabel())
            .orElseThrow(() ->
                new CaTokenException(
                    CaTokenException.Reason.NOT_BOOTSTRAPPED,
                    "the token has no CA key "
                        + settings.issuingLabel()
                        + ": make a request first"));
    List<X509Certificate> chain = IssuingChain.ordered(PemCertificates.read(pem), key.publicKey());
    IssuingChain.check(chain, clock.instant());
    store.store(settings.issuingLabel(), key.privateKey(), chain);
    if (store.find(settings.issuingLabel()).filter(k -> k.chain().equals(chain)).isEmpty()) {
      store.store(settings.issuingLabel(), key.privateKey(), key.chain());
      throw new CaTokenException(
          CaTokenException.Reason.FAILED,
          "the token does not return the chain that was stored; it may hold another certificate of"
              + " the same subject");
    }
    return chain;
  }

  private StoredKey makeRoot(Instant now) {
    return keys.make(
        settings.rootLabel(),
        settings.rootKey(),
        pair ->
            List.of(certificates.root(pair, settings.rootName(), now, settings.rootValidity())));
  }

  private StoredKey makeIssuing(X500Name name, CaKey root, X509Certificate ofRoot, Instant now) {
    return keys.make(
        settings.issuingLabel(),
        settings.issuingKey(),
        pair -> {
          List<X509Certificate> chain =
              List.of(
                  certificates.issuing(pair, name, root, ofRoot, now, settings.issuingValidity()),
                  ofRoot);
          IssuingChain.check(chain, now);
          return chain;
        });
  }

  private X509Certificate placeholder(CaKey pair) {
    return certificates.placeholder(pair, settings.issuingName(), clock.instant());
  }

  private CaKey caKey(StoredKey key) {
    return new CaKey(key.privateKey(), key.publicKey(), store.provider());
  }
}
