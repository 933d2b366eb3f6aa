package org.keywell.ca.standin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certificates;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProfileBuilder;
import org.keywell.ca.SampleProfiles;
import org.keywell.ca.issuance.BouncyCastleCertificateAuthority;
import org.keywell.ca.issuance.IssuingKey;
import org.keywell.ca.issuance.SigningLimits;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.Revocation;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.revocation.RevocationReason;
import org.keywell.ca.timestamp.StampAnswer;
import org.keywell.ca.timestamp.TimeStampPolicy;
import org.keywell.ca.timestamp.TimeStampUnit;
import org.keywell.ca.token.PemCertificates;

/**
 * A CA in memory that publishes what validators need, on loopback: a list for each day of issue,
 * one for time-stamp units, the root's list for the issuing CA, and time stamps. It was made three
 * days ago and lasts 30 years.
 */
public final class PublishingCa implements CertificateAuthority, AutoCloseable {
  private static final Duration AGE = Duration.ofDays(3);
  private static final Duration AGE_OF_UNITS = Duration.ofDays(2);
  private static final String PROFILE = "standard";

  private final Instant now = Instant.now();
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger numbers = new AtomicInteger(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<X509Certificate> issued = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final Map<BigInteger, Instant> revoked = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final CertificateMaker maker;
  private final KeyPair rootKey;
  private final KeyPair issuingKey;
  private final X509Certificate root;
  private final X509Certificate issuing;
  private final CertificateAuthority authority;
  private volatile Duration ageOfLists = Duration.ZERO;
  private volatile Duration validityOfLists = Duration.ofDays(1);
  private volatile @Nullable Instant allRevoked;
  private volatile @Nullable HttpHandler fault;

  public PublishingCa() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
    maker = new CertificateMaker(now.minus(AGE), now.plus(Duration.ofDays(30 * 365)));
    rootKey = CertificateMaker.key();
    issuingKey = CertificateMaker.key();
    root = maker.root(rootKey);
    issuing = maker.issuing(issuingKey, rootKey, root, uri("/root.crl"));
    authority =
        new BouncyCastleCertificateAuthority(
            new IssuingKey(
                issuingKey.getPrivate(), CertificateMaker.provider(), List.of(issuing, root)),
            new CertificateProfiles(
                Map.of(
                    PROFILE,
                    new ProfileBuilder().crlsByDay(true).profile(),
                    SampleProfiles.SHORT_LIVED,
                    SampleProfiles.all().find(SampleProfiles.SHORT_LIVED).orElseThrow()),
                Optional.of(uri("/crl/"))),
            SigningLimits.defaults(),
            InstantSource.system(),
            random);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }

  public X509Certificate root() {
    return root;
  }

  /** Returns the certificates of signers, in the order of their issue. */
  public List<X509Certificate> issued() {
    return List.copyOf(issued);
  }

  /** Returns the paths of all requests, except those for time stamps. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** Returns the path of the list of a signer's certificate. */
  public String listOf(X509Certificate certificate) {
    return CrlShard.namedBy(certificate).orElseThrow().getPath();
  }

  /** From now on, lists have this certificate. */
  public void revoke(X509Certificate certificate, Instant at) {
    revoked.put(certificate.getSerialNumber(), at);
  }

  /** From now on, each signer's certificate is on its list. */
  public void revokeAll(Instant at) {
    allRevoked = at;
  }

  /** From now on, lists are this old, and valid for so long. */
  public void makeListsBefore(Duration age, Duration validity) {
    ageOfLists = age;
    validityOfLists = validity;
  }

  /** From now on, this is the answer to requests for the lists of signers' certificates. */
  public void answerForSigners(HttpHandler handler) {
    fault = handler;
  }

  /** Stops listening. */
  public void goAway() {
    server.stop(0);
  }

  /** Returns a unit for time stamps, certified for so long. */
  public Unit unit(Duration validity) {
    return new Unit(validity);
  }

  /** A unit for time stamps. */
  public final class Unit {
    private final KeyPair key = CertificateMaker.key();
    private final List<X509Certificate> chain;
    private final TimeStampUnit unit;

    private Unit(Duration validity) {
      Instant since = now.minus(AGE_OF_UNITS);
      X509Certificate own =
          maker.timeStamping(key, issuingKey, issuing, since, now.plus(validity), listOfUnits());
      chain = List.of(own, issuing, root);
      unit =
          new TimeStampUnit(
              message -> Optional.of(CertificateMaker.sign(key, message)),
              chain,
              new TimeStampPolicy("2.999.1", Duration.ofSeconds(1)));
      server.createContext(path(), this::stamp);
    }

    public X509Certificate certificate() {
      return chain.getFirst();
    }

    /** Returns its address, for those who ask without the service. */
    public URI uri() {
      return PublishingCa.this.uri(path());
    }

    private String path() {
      return "/tsa/" + chain.getFirst().getSerialNumber();
    }

    /** Makes it a service's own authority. */
    public void serve(StandInService service) {
      service.serve("/tsa", this::stamp);
      service.serve("/tsa/chain", exchange -> respond(exchange, pem(chain)));
      service.serve("/ca/chain", exchange -> respond(exchange, pem(PublishingCa.this.chain())));
    }

    private void stamp(HttpExchange exchange) throws IOException {
      byte[] request = exchange.getRequestBody().readAllBytes();
      StampAnswer answer =
          unit.answer(request, Optional.of(Instant.now()), new BigInteger(127, random));
      respond(exchange, answer.response());
    }
  }

  private static byte[] pem(List<X509Certificate> chain) {
    return PemCertificates.write(chain).getBytes(StandardCharsets.US_ASCII);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    requests.add(path);
    HttpHandler broken = fault;
    if (broken != null && path.startsWith("/crl/") && !path.equals(listOfUnits().getPath())) {
      broken.handle(exchange);
    } else if (path.equals("/root.crl")) {
      respond(exchange, maker.list(root, rootKey, numbers.getAndIncrement(), thisUpdate()));
    } else {
      respond(exchange, list(uri(path)));
    }
  }

  private URI listOfUnits() {
    return CrlShard.ofServices(CrlShard.issuer(issuing)).within(uri("/crl/"));
  }

  private Instant thisUpdate() {
    return Instant.now().minus(ageOfLists);
  }

  private byte[] list(URI published) {
    List<Revocation> revocations = new ArrayList<>();
    for (X509Certificate certificate : issued) {
      Instant at =
          Objects.requireNonNullElse(
              revoked.get(certificate.getSerialNumber()),
              Objects.requireNonNullElse(allRevoked, Instant.MAX));
      if (!at.equals(Instant.MAX) && listOf(certificate).equals(published.getPath())) {
        revocations.add(
            new Revocation(certificate.getSerialNumber(), at, RevocationReason.KEY_COMPROMISE));
      }
    }
    Instant made = thisUpdate();
    return ((ListAnswer.Signed)
            sign(
                new RevocationList(
                    CrlShard.at(published.toString()).orElseThrow(),
                    List.of(published),
                    BigInteger.valueOf(numbers.getAndIncrement()),
                    made,
                    made.plus(validityOfLists),
                    revocations)))
        .crl();
  }

  private static void respond(HttpExchange exchange, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public Certification certify(CertificationRequest request) {
    Certification certification = authority.certify(request);
    issued.add(Certificates.of(certification));
    return certification;
  }

  @Override
  public boolean isValid() {
    return authority.isValid();
  }

  @Override
  public Optional<Certification.Refused> prove() {
    return authority.prove();
  }

  @Override
  public ListAnswer sign(RevocationList list) {
    return authority.sign(list);
  }

  @Override
  public List<X509Certificate> chain() {
    return authority.chain();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
