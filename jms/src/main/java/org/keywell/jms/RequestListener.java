package org.keywell.jms;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.log.LogPace;
import org.keywell.settings.JmsProperties;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.SignService;
import tools.jackson.databind.json.JsonMapper;

/** Takes requests from a broker and answers them, with {@code keywell.jms.consumers} threads. */
public final class RequestListener {

  /**
   * What it needs of the rest of the service.
   *
   * @param callers finds the caller that sends as a user of the broker
   * @param rates of all ways in together
   * @param keys how many requests for this kind of key can have one now; must not block
   * @param mapper as for HTTP
   */
  public record Core(
      SignRequestParser parser,
      SignService service,
      Function<String, Optional<Caller>> callers,
      CallerRates rates,
      ToIntFunction<KeySpec> keys,
      JsonMapper mapper,
      InstantSource clock,
      LongSupplier nanoClock) {}

  private final Broker broker;
  private final BrokerStatus status;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<RequestConsumer> consumers = new ArrayList<>();

  /**
   * @param properties enabled
   * @param tls asked for each connection; null: no TLS
   * @param maxBodyBytes of a request's JSON
   */
  public RequestListener(
      JmsProperties properties, @Nullable Supplier<SSLContext> tls, int maxBodyBytes, Core core) {
    broker =
        new Broker(
            properties.addresses(),
            Objects.requireNonNull(properties.username(), "keywell.jms.username"),
            new PasswordFile(password(properties)),
            tls);
    status =
        new BrokerStatus("%s at %s".formatted(properties.requestQueue(), broker), core.clock());
    MessageFlow flow =
        new MessageFlow(
            new MessageReader(
                core.callers(),
                new ReplyRule(properties.replyPrefix()),
                maxBodyBytes,
                core.mapper()),
            new SigningCall(
                core.parser(),
                core.service()::sign,
                core.service()::repeat,
                core.rates(),
                core.keys(),
                core.mapper(),
                core.clock(),
                core.nanoClock()),
            properties.deadLetterQueue(),
            properties.answerTimeToLive(),
            core.clock(),
            new LogPace(core.nanoClock()));
    for (int i = 1; i <= properties.consumers(); i++) {
      consumers.add(
          new RequestConsumer(
              "keywell-jms-" + i, broker, properties.requestQueue(), flow, status, stop));
    }
  }

  private static Path password(JmsProperties properties) {
    return Objects.requireNonNull(properties.passwordFile(), "keywell.jms.password-file");
  }

  /** Starts to take requests, as soon as the broker is there. */
  public void start() {
    consumers.forEach(RequestConsumer::start);
  }

  /**
   * Takes no more requests, and waits for those that are worked on.
   *
   * @return whether all have ended within the limit; the others' messages are delivered again
   */
  public boolean stop(Duration limit) {
    stop.countDown();
    long end = System.nanoTime() + limit.toNanos();
    boolean ended = true;
    try {
      for (RequestConsumer consumer : consumers) {
        ended &= consumer.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      ended = false;
    }
    broker.close();
    return ended;
  }

  /** Returns whether the broker is there. */
  public BrokerStatus status() {
    return status;
  }
}
