package org.keywell.ca.standin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.CaChain;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.CertificateProfiles;
import org.keywell.ca.Certification;
import org.keywell.ca.CertificationRequest;
import org.keywell.ca.ProofDigest;
import org.keywell.ca.ProofScheme;
import org.keywell.ca.Subject;
import org.keywell.ca.cms.DetachedSignedData;
import org.keywell.ca.cms.SignedAttributes;
import org.keywell.ca.token.SoftwareCa;
import org.keywell.client.Act;
import org.keywell.client.ActRequest;
import org.keywell.client.SignRequest;
import org.keywell.client.SignResponse;
import tools.jackson.databind.json.JsonMapper;

/**
 * A second implementation of the service's contract for acts: keys in memory, a CA in memory, and
 * on loopback, so that formats are tested without an HSM.
 */
public final class StandInService implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final CertificateAuthority authority;
  private final List<String> inOneCall = new CopyOnWriteArrayList<>();
  private final Map<String, OpenAct> acts = new ConcurrentHashMap<>();
  private final Map<String, Signed> signed = new ConcurrentHashMap<>();
  private final HttpServer server;
  private volatile Runnable beforeOpen = () -> {};
  private volatile Runnable beforeSign = () -> {};

  private static final class OpenAct {
    private final Act answer;
    private final OneTimeKey key;
    private @Nullable List<byte[]> digests;
    private @Nullable SignResponse signed;
    private boolean cancelled;

    private OpenAct(Act answer, OneTimeKey key) {
      this.answer = answer;
      this.key = key;
    }
  }

  private record Digests(List<byte[]> digests) {}

  private record Refusal(String type, int status) {}

  public StandInService() throws IOException {
    this(SoftwareCa.authority());
  }

  public StandInService(CertificateAuthority authority) throws IOException {
    this.authority = authority;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/acts", this::handle);
    server.createContext("/sign", this::signInOneCall);
    server.start();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public X509Certificate root() {
    return authority.chain().getLast();
  }

  public List<X509Certificate> chain() {
    return authority.chain();
  }

  /** Does this while the next act is opened. */
  public void onOpen(Runnable work) {
    beforeOpen = work;
  }

  /** Does this while an act signs. */
  public void onSign(Runnable work) {
    beforeSign = work;
  }

  /** Answers requests below a path, such as those for a log, as the test likes. */
  public void serve(String path, HttpHandler handler) {
    server.createContext(path, handler);
  }

  /**
   * What was signed under an id.
   *
   * @param digests as they were sent
   * @param certificate of the one-time key, DER
   */
  public record Signed(List<byte[]> digests, byte[] certificate) {}

  /** Returns what was signed under this id, which must be known. */
  public Signed signed(String id) {
    return Objects.requireNonNull(signed.get(id), id);
  }

  /** How many acts were opened, whatever came of them. */
  public int openedActs() {
    return acts.size();
  }

  /** The ids of requests that were signed in one call. */
  public List<String> signedInOneCall() {
    return List.copyOf(inOneCall);
  }

  /** The ids of acts whose key has signed. */
  public List<String> signedActs() {
    return acts.values().stream()
        .filter(act -> act.signed != null)
        .map(act -> act.answer.actId())
        .toList();
  }

  /** The ids of acts that the caller gave up. */
  public List<String> cancelledActs() {
    return acts.values().stream()
        .filter(act -> act.cancelled)
        .map(act -> act.answer.actId())
        .toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String[] path = exchange.getRequestURI().getPath().split("/", -1);
      switch (exchange.getRequestMethod()) {
        case "DELETE" -> {
          act(path[2]).cancelled = true;
          exchange.sendResponseHeaders(204, -1);
        }
        case "POST" -> {
          if (path.length == 2) {
            beforeOpen.run();
            respond(exchange, 201, open(JSON.readValue(body, ActRequest.class)));
          } else {
            beforeSign.run();
            sign(exchange, act(path[2]), JSON.readValue(body, Digests.class).digests());
          }
        }
        default -> throw new AssertionError(exchange.getRequestMethod());
      }
    }
  }

  /** Certificate first, then the attributes that name it. */
  private void signInOneCall(HttpExchange exchange) throws IOException {
    try (exchange) {
      SignRequest request =
          JSON.readValue(exchange.getRequestBody().readAllBytes(), SignRequest.class);
      assertThat(request.container()).isEqualTo("PAdES-BASELINE-B");
      OneTimeKey key =
          key(request.keySpec(), request.signatureAlgorithm(), request.digestAlgorithm());
      List<byte[]> chain =
          certify(key, Objects.requireNonNull(request.signer()).commonName(), request.profile());
      SignedAttributes attributes =
          SignedAttributes.of(
              key.digest(), Objects.requireNonNull(request.digest()), chain.getFirst(), null);
      byte[] signature = key.sign(attributes.toSign(key.scheme()));
      inOneCall.add(Objects.requireNonNull(request.requestId()));
      signed.put(
          request.requestId(),
          new Signed(List.of(Objects.requireNonNull(request.digest())), chain.getFirst()));
      byte[] cms =
          DetachedSignedData.of(
              attributes, key.scheme(), signature, chain.getFirst(), CaChain.of(authority.chain()));
      respond(
          exchange,
          200,
          new SignResponse(
              Objects.requireNonNull(request.requestId()),
              signature,
              List.of(signature),
              List.of(cms),
              key.scheme().label(),
              chain,
              true,
              new SignResponse.Timestamps(null, null, null, null, null, null, null),
              0,
              0,
              null));
    }
  }

  private OpenAct act(String id) {
    return Objects.requireNonNull(acts.get(id), id);
  }

  private Act open(ActRequest request) {
    String id = Objects.requireNonNullElseGet(request.actId(), () -> UUID.randomUUID().toString());
    return acts.computeIfAbsent(id, _ -> newAct(id, request)).answer;
  }

  private OpenAct newAct(String id, ActRequest request) {
    OneTimeKey key =
        key(request.keySpec(), request.signatureAlgorithm(), request.digestAlgorithm());
    return new OpenAct(
        new Act(
            id,
            "open",
            "stand-in",
            Instant.now().plusSeconds(60),
            request.digestCount(),
            key.digest().label(),
            key.scheme().label(),
            certify(key, name(request), request.profile()),
            null),
        key);
  }

  /** A ticket is the name of who is behind it. */
  private static String name(ActRequest request) {
    return request.signer() == null
        ? Objects.requireNonNull(request.identityProof()).value()
        : request.signer().commonName();
  }

  private static OneTimeKey key(
      @Nullable String keySpec, @Nullable String signatureAlgorithm, String digestAlgorithm) {
    String algorithm = Objects.requireNonNullElse(signatureAlgorithm, "RSASSA-PKCS1-v1_5");
    ProofScheme scheme =
        Arrays.stream(ProofScheme.values())
            .filter(one -> one.label().equals(algorithm))
            .findFirst()
            .orElseThrow();
    ProofDigest digest =
        Arrays.stream(ProofDigest.values())
            .filter(one -> one.label().equals(digestAlgorithm))
            .findFirst()
            .orElseThrow();
    return OneTimeKey.of(Objects.requireNonNullElse(keySpec, "RSA-2048"), scheme, digest);
  }

  private List<byte[]> certify(OneTimeKey key, String name, @Nullable String profile) {
    Certification certification =
        authority.certify(
            new CertificationRequest(
                key.pair().encoded(),
                Subject.ofCommonName(name),
                key.pair().prove(key.scheme(), key.digest()),
                Objects.requireNonNullElse(profile, CertificateProfiles.STANDARD),
                null));
    if (!(certification instanceof Certification.Certified certified)) {
      throw new AssertionError(certification);
    }
    List<byte[]> chain = new ArrayList<>();
    chain.add(certified.certificate());
    chain.addAll(certified.issuedUnder().certificates());
    return chain;
  }

  private void sign(HttpExchange exchange, OpenAct act, List<byte[]> digests) throws IOException {
    synchronized (act) {
      if (act.digests != null && !same(act.digests, digests)) {
        respond(exchange, 409, new Refusal("urn:keywell:problem:act-signed", 409));
        return;
      }
      if (act.signed == null) {
        act.digests = digests;
        act.signed = answer(act, digests.stream().map(act.key::sign).toList());
        signed.put(
            act.answer.actId(), new Signed(digests, act.answer.certificateChain().getFirst()));
      }
      respond(exchange, 200, act.signed);
    }
  }

  private static boolean same(List<byte[]> one, List<byte[]> other) {
    return Arrays.deepEquals(one.toArray(), other.toArray());
  }

  private static SignResponse answer(OpenAct act, List<byte[]> signatures) {
    return new SignResponse(
        act.answer.actId(),
        signatures.getFirst(),
        signatures,
        List.of(),
        act.answer.signatureAlgorithm(),
        act.answer.certificateChain(),
        true,
        new SignResponse.Timestamps(null, null, null, null, null, null, null),
        0,
        0,
        null);
  }

  private static void respond(HttpExchange exchange, int status, Object body) throws IOException {
    byte[] json = JSON.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
    exchange
        .getResponseHeaders()
        .set("Content-Type", status < 400 ? "application/json" : "application/problem+json");
    exchange.sendResponseHeaders(status, json.length);
    exchange.getResponseBody().write(json);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
