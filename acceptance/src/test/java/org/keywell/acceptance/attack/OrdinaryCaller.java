package org.keywell.acceptance.attack;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Someone who wants signatures while others attack: one request after the other, every second one
 * over a connection of its own. Notes how long each took until it was signed; a refusal that says
 * when to come back is tried again.
 */
final class OrdinaryCaller {

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Beyond this a person has gone. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final HttpApi kept;
  private final Supplier<HttpClient> clients;
  private final Thread thread = Thread.ofPlatform().name("ordinary-caller").unstarted(this::run);
  private final List<Duration> signed = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private volatile boolean stopped;

  private OrdinaryCaller(HttpApi kept, Supplier<HttpClient> clients) {
    this.kept = kept;
    this.clients = clients;
  }

  static OrdinaryCaller start(HttpApi http) {
    return start(http, HttpClient::newHttpClient);
  }

  /**
   * @param clients makes one for each connection that is not kept
   */
  static OrdinaryCaller start(HttpApi http, Supplier<HttpClient> clients) {
    OrdinaryCaller caller = new OrdinaryCaller(http, clients);
    caller.thread.start();
    return caller;
  }

  private void run() {
    for (int i = 0; !stopped; i++) {
      long began = System.nanoTime();
      String failure = i % 2 == 0 ? ask(kept, began) : askAnew(began);
      synchronized (this) {
        if (failure.isEmpty()) {
          signed.add(Duration.ofNanos(System.nanoTime() - began));
        } else if (!stopped) {
          failures.add(failure);
        }
      }
      pause(PAUSE);
    }
  }

  private String askAnew(long began) {
    try (HttpClient client = clients.get()) {
      return ask(new HttpApi(client, kept.base()), began);
    }
  }

  /** Empty if it was signed in the end. */
  private String ask(HttpApi http, long began) {
    String last = "";
    while (System.nanoTime() - began < PATIENCE.toNanos() && !stopped) {
      try {
        UUID id = UUID.randomUUID();
        SignBody body = SignBody.of("ordinary").requestId(id).keySpec(KeySpec.EC_P256);
        HttpApi.Answer answer = http.sign(body);
        if (answer.status() == 200) {
          return "";
        }
        last = answer.status() + " " + answer.problem();
        if (answer.status() != 503) {
          return last;
        }
      } catch (IOException e) {
        last = e.toString();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return "interrupted";
      }
      pause(PAUSE);
    }
    return "not within " + PATIENCE + ", last " + last;
  }

  private static void pause(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  synchronized int signed() {
    return signed.size();
  }

  /** The longest that anyone waited for a signature. */
  synchronized Duration longest() {
    return signed.stream().max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /** What was not signed, and why. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }

  /** No further request; returns when the last one has its answer. */
  void leave() throws InterruptedException {
    stopped = true;
    thread.join(Duration.ofSeconds(70));
  }
}
