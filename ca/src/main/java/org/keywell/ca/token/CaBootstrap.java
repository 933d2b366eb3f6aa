package org.keywell.ca.token;

import java.security.Provider;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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
      TokenKeyStore store, CaSettings settings, InstantSource clock, SecureRandom random) {
    this.store = store;
    this.keys = new CaKeyMaker(store);
    this.settings = settings;
    this.certificates = new CaCertificates(random, settings.lists());
    this.clock = clock;
  }

  /**
   * Returns the bootstrap of one token.
   *
   * @param token as for {@link CaToken}
   */
  public static CaBootstrap in(
      Provider token, CaSettings settings, InstantSource clock, SecureRandom random) {
    return new CaBootstrap(new TokenKeyStore(token), settings, clock, random);
  }

  /**
   * Ensures that an issuing CA exists, under its own root unless it has another. Idempotent.
   *
   * @throws CaTokenException {@code AWAITING_CHAIN} after {@link #issuingRequest}; {@code
   *     CHAIN_REFUSED} if the existing or the new chain is not valid; {@code KEY_EXPOSED} if a CA
   *     key could be read out; {@code FAILED}
   */
  public BootstrapReport ensure() {
    Instant now = clock.instant();
    Optional<BootstrapReport> existing = existing(now);
    if (existing.isPresent()) {
      return existing.get();
    }
    Optional<StoredKey> existingRoot = store.find(settings.rootLabel());
    StoredKey root =
        existingRoot.orElseGet(() -> makeRoot(settings.rootLabel(), settings.rootName(), now));
    X500Name name = DistinguishedNames.of(settings.issuingName());
    StoredKey issuing =
        makeIssuing(settings.issuingLabel(), name, caKey(root), root.chain().getFirst(), now);
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
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public boolean ensureSigningKey(String label) {
    if (store.find(label).isPresent()) {
      return false;
    }
    StoredKey _ = keys.make(label, CaKeySpec.EC_P256, pair -> List.of(placeholder(label, pair)));
    return true;
  }

  /**
   * Ensures that the token has a key for one use, certified by the issuing CA in the same token for
   * nothing else. Idempotent: a key of another kind under this label is left as it is.
   *
   * @param spec its kind
   * @param validity of the certificate; cut to that of the issuing CA's
   * @return whether it was created
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} or {@code AWAITING_CHAIN} if the issuing CA
   *     has no certificate; {@code KEY_EXPOSED} or {@code FAILED}
   */
  public boolean ensureServiceKey(
      ServiceUse use, CaKeySpec spec, String label, Subject name, Duration validity) {
    if (store.find(label).isPresent()) {
      return false;
    }
    Instant now = clock.instant();
    List<KeyGeneration> all = store.generations(settings.issuingLabel());
    if (all.isEmpty()) {
      throw missing("");
    }
    StoredKey issuing = KeyGeneration.usable(all, now).getFirst().key();
    StoredKey _ = makeService(use, spec, label, name, validity, issuing, now);
    return true;
  }

  /**
   * Ensures that each of the issuing CA's keys has certified a key that answers OCSP requests about
   * its certificates (RFC 6960, section 4.2.2.2). These keys follow each other, too: one gets a
   * successor in the last quarter of its validity, unless it ends with its issuer. Idempotent.
   *
   * @param first the label of the first of them
   * @param validity of the certificates; cut to that of their issuers
   * @param taken as for {@link #renew}
   * @return what was created or found, that of the oldest issuing key first
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public List<Renewal> ensureResponders(
      String first, Subject name, Duration validity, Set<String> taken) {
    Instant now = clock.instant();
    Set<String> labels = new HashSet<>(taken);
    List<Renewal> report = new ArrayList<>();
    for (KeyGeneration issuing : store.generations(settings.issuingLabel()).reversed()) {
      Instant end = issuing.certificate().getNotAfter().toInstant();
      if (issuing.key().awaitsChain() || !now.isBefore(end)) {
        continue;
      }
      Instant soon = Collections.min(List.of(now.plus(validity.dividedBy(4)), end));
      Optional<KeyGeneration> known =
          store.generations(first).stream()
              .filter(each -> each.isFrom(issuing.certificate()))
              .filter(each -> !each.certificate().getNotAfter().toInstant().isBefore(soon))
              .findFirst();
      if (known.isPresent()) {
        report.add(renewal(false, known.get().label(), known.get().key()));
      } else {
        String label = following(first, 1, labels);
        labels.add(label);
        StoredKey made =
            makeService(
                ServiceUse.OCSP, CaKeySpec.EC_P256, label, name, validity, issuing.key(), now);
        report.add(renewal(true, label, made));
      }
    }
    return report;
  }

  private StoredKey makeService(
      ServiceUse use,
      CaKeySpec spec,
      String label,
      Subject name,
      Duration validity,
      StoredKey issuing,
      Instant now) {
    X509Certificate issuer = issuing.chain().getFirst();
    return keys.make(
        label,
        spec,
        pair ->
            Stream.concat(
                    Stream.of(
                        certificates.service(
                            use, pair, name, caKey(issuing), issuer, now, validity)),
                    issuing.chain().stream())
                .toList());
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

  /**
   * Ensures that the issuing CA in this token has a key of a generation or a later one, certified
   * by the newest root. Earlier keys stay. Idempotent.
   *
   * @param first has the root's key; may be this
   * @param taken labels of private keys in this token, with or without a certificate: a key that
   *     was left behind half-made keeps its label
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if there is no issuing CA, or its root's key
   *     is not in the first token; {@code AWAITING_CHAIN}; otherwise as {@link #ensure}
   */
  public Renewal renew(int generation, CaBootstrap first, Set<String> taken) {
    Instant now = clock.instant();
    List<KeyGeneration> all = store.generations(settings.issuingLabel());
    if (all.isEmpty()) {
      throw missing(": run bootstrap");
    }
    KeyGeneration newest = all.getFirst();
    // It may lack its issuer's certificate, which is stored last.
    if (newest.key().awaitsChain() || (newest.number() >= generation && newest.isUsable(now))) {
      newest.requireUsable(now);
      return renewal(false, newest.label(), newest.key());
    }
    StoredKey root = first.roots().getFirst().key();
    X500Name name = CaCertificates.nameOf(newest.key().chain().getFirst());
    String label = following(settings.issuingLabel(), generation, taken);
    return renewal(
        true, label, makeIssuing(label, name, first.caKey(root), root.chain().getFirst(), now));
  }

  /**
   * Ensures that this token has a root's key of a generation or a later one, with its own name.
   * Nothing is below it until {@link #renew}. Idempotent. Throws as that does.
   */
  public Renewal renewRoot(int generation, Set<String> taken) {
    KeyGeneration newest = roots().getFirst();
    if (newest.number() >= generation) {
      return renewal(false, newest.label(), newest.key());
    }
    String label = following(settings.rootLabel(), generation, taken);
    int number = CaKeyLabels.generation(settings.rootLabel(), label);
    return renewal(true, label, makeRoot(label, settings.rootName(number), clock.instant()));
  }

  /**
   * Returns a certificate for the newest root's key by the root before it, for verifiers that know
   * only that one.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if there is no root before; {@code FAILED}
   */
  public X509Certificate crossCertificate() {
    List<KeyGeneration> roots = roots();
    if (roots.size() < 2) {
      throw new CaTokenException(
          CaTokenException.Reason.NOT_BOOTSTRAPPED, "the token has only one root");
    }
    StoredKey newest = roots.getFirst().key();
    StoredKey former = roots.get(1).key();
    return certificates.cross(
        caKey(newest),
        newest.chain().getFirst(),
        caKey(former),
        former.chain().getFirst(),
        clock.instant());
  }

  private static Renewal renewal(boolean created, String label, StoredKey key) {
    return new Renewal(created, label, key.chain().getFirst());
  }

  /** Returns the label after those that are taken, if that is of a generation or a later one. */
  private static String following(String first, int generation, Set<String> taken) {
    int next =
        1 + taken.stream().mapToInt(label -> CaKeyLabels.generation(first, label)).max().orElse(0);
    if (generation > next || next > CaKeyLabels.LAST) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED,
          "generation %s of %s: the next is %s, and the last %s"
              .formatted(generation, first, next, CaKeyLabels.LAST));
    }
    return CaKeyLabels.of(first, next);
  }

  private List<KeyGeneration> roots() {
    List<KeyGeneration> roots = store.generations(settings.rootLabel());
    Optional<X509Certificate> above = chain().map(List::getLast);
    // They may be old roots; then another CA has signed the issuing certificate.
    if (roots.stream().noneMatch(root -> above.filter(root.certificate()::equals).isPresent())) {
      throw new CaTokenException(
          CaTokenException.Reason.NOT_BOOTSTRAPPED,
          "CA key %s cannot be made here, since its root is elsewhere: make a request"
              .formatted(settings.issuingLabel()));
    }
    return roots;
  }

  private CaTokenException missing(String detail) {
    return new CaTokenException(
        CaTokenException.Reason.NOT_BOOTSTRAPPED,
        "the token has no CA key " + settings.issuingLabel() + detail);
  }

  private BootstrapReport makeBeside(CaBootstrap first, Instant now) {
    List<KeyGeneration> roots = first.roots();
    List<X509Certificate> chain = first.chain().orElseThrow();
    StoredKey root =
        roots.stream()
            .filter(each -> each.certificate().equals(chain.getLast()))
            .findFirst()
            .orElseThrow()
            .key();
    X500Name name = CaCertificates.nameOf(chain.getFirst());
    StoredKey issuing =
        makeIssuing(settings.issuingLabel(), name, first.caKey(root), chain.getLast(), now);
    return new BootstrapReport(false, true, issuing.chain());
  }

  private Optional<BootstrapReport> existing(Instant now) {
    List<KeyGeneration> all = store.generations(settings.issuingLabel());
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new BootstrapReport(
                false, false, KeyGeneration.usable(all, now).getFirst().key().chain()));
  }

  /**
   * Returns the chain of the issuing CA's newest key that has one.
   *
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public Optional<List<X509Certificate>> chain() {
    return chains().findFirst();
  }

  private Stream<List<X509Certificate>> chains() {
    return store.generations(settings.issuingLabel()).stream()
        .map(KeyGeneration::key)
        .filter(key -> !key.awaitsChain())
        .map(StoredKey::chain);
  }

  /**
   * Returns the roots of all of the issuing CA's keys, and those in this token that follow them.
   *
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public Set<X509Certificate> rootCertificates() {
    Set<X509Certificate> roots =
        chains().map(List::getLast).collect(Collectors.toCollection(LinkedHashSet::new));
    List<X509Certificate> own =
        store.generations(settings.rootLabel()).stream().map(KeyGeneration::certificate).toList();
    if (own.stream().anyMatch(roots::contains)) {
      roots.addAll(own);
    }
    return roots;
  }

  /**
   * Returns a PKCS#10 request in PEM for the issuing CA's newest key, for a root that is elsewhere.
   * Generates the key if it is missing. Can be repeated.
   *
   * @param newKey for a key that follows, unless the newest waits for its certificate already
   * @param taken as for {@link #renew}
   * @throws CaTokenException {@code KEY_EXPOSED} or {@code FAILED}
   */
  public String issuingRequest(boolean newKey, Set<String> taken) {
    StoredKey key =
        store.generations(settings.issuingLabel()).stream()
            .findFirst()
            .map(KeyGeneration::key)
            .filter(newest -> !newKey || newest.awaitsChain())
            .orElseGet(() -> {
              String label = following(settings.issuingLabel(), 1, taken);
              return keys.make(
                  label, settings.issuingKey(), pair -> List.of(placeholder(label, pair)));
            });
    return PemCertificates.text(certificates.request(caKey(key), settings.issuingName()));
  }

  /**
   * Imports the answer to a request: the issuing certificate and all above it up to a self-signed
   * root, in any order. Verifies everything before it changes the token. If the token then does not
   * return what was stored, puts the previous certificates back.
   *
   * @throws CaTokenException {@code NOT_BOOTSTRAPPED} if there is no issuing key; {@code
   *     CHAIN_REFUSED} with what is wrong; {@code KEY_EXPOSED} or {@code FAILED}
   */
  public List<X509Certificate> importChain(String pem) {
    List<X509Certificate> given = PemCertificates.read(pem);
    List<KeyGeneration> all = store.generations(settings.issuingLabel());
    if (all.isEmpty()) {
      throw missing(": make a request first");
    }
    KeyGeneration asked =
        all.stream()
            .filter(
                each -> given.stream().anyMatch(c -> IssuingChain.isFor(c, each.key().publicKey())))
            .findFirst()
            .orElse(all.getFirst());
    StoredKey key = asked.key();
    List<X509Certificate> chain = IssuingChain.ordered(given, key.publicKey());
    IssuingChain.check(chain, clock.instant());
    if (chain.equals(key.chain())) {
      return chain;
    }
    store.store(asked.label(), key.privateKey(), chain);
    if (store.find(asked.label()).filter(k -> k.chain().equals(chain)).isEmpty()) {
      store.store(asked.label(), key.privateKey(), key.chain());
      throw new CaTokenException(
          CaTokenException.Reason.FAILED,
          "the token does not return the chain that was stored; it may hold another certificate of"
              + " the same subject");
    }
    return chain;
  }

  private StoredKey makeRoot(String label, Subject name, Instant now) {
    return keys.make(
        label,
        settings.rootKey(),
        pair -> List.of(certificates.root(pair, name, now, settings.rootValidity())));
  }

  private StoredKey makeIssuing(
      String label, X500Name name, CaKey root, X509Certificate ofRoot, Instant now) {
    return keys.make(
        label,
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

  /** Its own name: no certificate is replaced whose name is that of others' issuer. */
  private X509Certificate placeholder(String label, CaKey pair) {
    return certificates.placeholder(pair, Subject.ofCommonName(label), clock.instant());
  }

  private CaKey caKey(StoredKey key) {
    return new CaKey(key.privateKey(), key.publicKey(), store.provider());
  }
}
