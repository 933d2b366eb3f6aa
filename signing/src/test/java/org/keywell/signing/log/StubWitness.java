package org.keywell.signing.log;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.keywell.settings.WitnessProperties;
import org.keywell.tlog.AddCheckpoint;
import org.keywell.tlog.Checkpoint;
import org.keywell.tlog.Cosignatures;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.NoteSignature;
import org.keywell.tlog.WitnessRules;

/** A witness with a key in memory, which can be made to misbehave. Thread-safe. */
final class StubWitness implements AutoCloseable {

  private final KeyPair pair;
  private final NoteKey key;
  private final String origin;
  private final WitnessRules rules;
  private final HttpServer server;
  private final List<Long> olds = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private Checkpoint latest;
  private int broken;
  private boolean hanging;
  private boolean forging;

  StubWitness(String name, NoteKey log) throws Exception {
    this.pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    byte[] spki = pair.getPublic().getEncoded();
    this.key =
        new NoteKey(
            name,
            NoteKey.Type.COSIGNATURE_ED25519,
            Arrays.copyOfRange(spki, spki.length - 32, spki.length));
    this.origin = log.name();
    this.rules = new WitnessRules(Map.of(origin, List.of(log)));
    this.latest = Checkpoint.ofEmptyTree(origin);
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(task -> Thread.ofVirtual().start(task));
    server.createContext("/w/add-checkpoint", this::answer);
    server.start();
  }

  NoteKey key() {
    return key;
  }

  WitnessProperties settings() {
    int port = server.getAddress().getPort();
    return new WitnessProperties(URI.create("http://127.0.0.1:" + port + "/w"), key.toString());
  }

  /** From now on it answers this status; 0: as it should. */
  synchronized void answers(int status) {
    broken = status;
  }

  /** From now on it answers nothing. */
  synchronized void hangs() {
    hanging = true;
  }

  /** From now on it signs something else. */
  synchronized void forges() {
    forging = true;
  }

  synchronized void hasSeen(Checkpoint checkpoint) {
    latest = checkpoint;
  }

  synchronized Checkpoint latest() {
    return latest;
  }

  /** Returns the old sizes that it was offered. */
  synchronized List<Long> olds() {
    return List.copyOf(olds);
  }

  private void answer(HttpExchange http) throws IOException {
    try (http) {
      byte[] body = http.getRequestBody().readAllBytes();
      boolean hang;
      synchronized (this) {
        hang = hanging;
      }
      if (hang) {
        closed.await();
      }
      synchronized (this) {
        answer(http, AddCheckpoint.parse(body));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(HttpExchange http, AddCheckpoint offer) throws IOException {
    olds.add(offer.oldSize());
    WitnessRules.Verdict verdict = rules.judge(offer, latest);
    String text = offer.checkpoint().text();
    String body = "";
    if (verdict == WitnessRules.Verdict.ACCEPTED) {
      latest = Checkpoint.parse(text);
      body = cosignature(forging ? "another\n" : text).line() + "\n";
    } else if (verdict == WitnessRules.Verdict.OTHER_OLD_SIZE) {
      body = latest.size() + "\n";
    }
    byte[] answer = body.getBytes(StandardCharsets.UTF_8);
    http.sendResponseHeaders(broken == 0 ? verdict.status() : broken, answer.length);
    http.getResponseBody().write(answer);
  }

  private NoteSignature cosignature(String text) {
    try {
      Signature signer = Signature.getInstance("Ed25519");
      signer.initSign(pair.getPrivate());
      signer.update(Cosignatures.message(1_800_000_000L, text));
      return new NoteSignature(
          key.name(), key.id(), Cosignatures.bytes(1_800_000_000L, signer.sign()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
