package org.keywell.acceptance.running;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;

/**
 * Threads that ask for one signature after the other until the service is gone or they are told to
 * stop. They note what they were answered, and which requests had no answer.
 */
public final class Clients implements AutoCloseable {

  private final HttpApi http;
  private final KeySpec spec;
  private final Map<UUID, SignBody> asked = new ConcurrentHashMap<>();
  private final Map<UUID, HttpApi.Answer> answered = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  private Clients(HttpApi http, KeySpec spec) {
    this.http = http;
    this.spec = spec;
  }

  public static Clients start(HttpApi http, KeySpec spec, int count) {
    Clients clients = new Clients(http, spec);
    for (int i = 0; i < count; i++) {
      clients.threads.add(Thread.ofPlatform().name("client-" + i).start(clients::ask));
    }
    return clients;
  }

  private void ask() {
    try {
      while (!stopped) {
        UUID id = UUID.randomUUID();
        SignBody body = SignBody.of(id.toString()).requestId(id).keySpec(spec);
        asked.put(id, body);
        answered.put(id, http.sign(body));
      }
    } catch (IOException e) {
      // The service is gone; the request stays without an answer.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until so many requests have an answer. */
  public void awaitAnswers(int count) throws InterruptedException {
    Await.until(count + " requests are answered", () -> answered.size() >= count);
  }

  /** Waits for the threads' end: after the service's, or after {@link #close}. */
  public void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** The answers, by request. */
  public Map<UUID, HttpApi.Answer> answered() {
    return Map.copyOf(answered);
  }

  /** The requests that were sent, or were to be sent, and have no answer. */
  public Map<UUID, SignBody> unanswered() {
    Map<UUID, SignBody> open = new ConcurrentHashMap<>(asked);
    open.keySet().removeAll(answered.keySet());
    return open;
  }

  /** No further requests. */
  @Override
  public void close() {
    stopped = true;
  }
}
