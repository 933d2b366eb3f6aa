package org.keywell.jms;

import java.security.cert.X509Certificate;
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
import org.keywell.json.ActRequestParser;
import org.keywell.json.SignRequestParser;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.settings.JmsProperties;
import org.keywell.settings.JmsProtection;
import org.keywell.signing.act.ActService;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.MessageAttempts;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.SignService;
import tools.jackson.databind.json.JsonMapper;

/** Takes requests from a broker and answers them, with several threads for each queue. */
public final class RequestListener {

  /**
   * What it needs of the rest of the service.
   *
   * @param turn which messages this instance takes
   * @param callers finds the caller that sends as a user of the broker
   * @param signers judges the certificates of a message's signer, whose own is first
   * @param messageKeys this service's, as they are now; the same object as long as they are the
   *     same
   * @param seen signed messages that were taken
   * @param attempts at messages that are delivered again
   * @param rates of all ways in together
   * @param keys how many requests for this kind of key can have one now; must not block
   * @param mapper as for HTTP
   */
  public record Core(
      SignRequestParser parser,
      SignService service,
      ActRequestParser actParser,
      ActService acts,
      Turn turn,
      Function<String, Optional<Caller>> callers,
      Function<List<X509Certificate>, Signer> signers,
      Supplier<MessageKeys> messageKeys,
      SeenRequests seen,
      MessageAttempts attempts,
      CallerRates rates,
      ToIntFunction<KeySpec> keys,
      JsonMapper mapper,
      MessageListener listener,
      InstantSource clock,
      LongSupplier nanoClock) {}

  /** This service's password at the broker. Asked for at each connection, so it may change. */
  @FunctionalInterface
  public interface Password {
    String read() throws BrokerException;
  }

  private final Broker broker;
  private final List<BrokerStatus> statuses = new ArrayList<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<RequestConsumer> consumers = new ArrayList<>();

  /**
   * @param properties enabled
   * @param protection which queues there are
   * @param tls asked for each connection; null: no TLS
   * @param maxBodyBytes of a request's JSON
   * @throws org.keywell.settings.StartRefusedException if a recipient's certificate cannot be used
   */
  public RequestListener(
      JmsProperties properties,
      Password password,
      JmsProtection protection,
      @Nullable Supplier<SSLContext> tls,
      int maxBodyBytes,
      Core core) {
    broker =
        new Broker(
            properties.addresses(),
            Objects.requireNonNull(properties.username(), "keywell.jms.username"),
            password,
            tls);
    RequestReaders readers =
        new RequestReaders(core, properties.replyPrefix(), maxBodyBytes, protection.recipients());
    SigningCall signing =
        new SigningCall(
            core.parser(),
            core.service()::sign,
            core.service()::repeat,
            core.acts()::open,
            core.acts()::repeat,
            new ActCalls(core.actParser(), core.acts()::sign, core.acts()::cancel, core.mapper()),
            core.rates(),
            core.keys(),
            core.mapper(),
            core.clock(),
            core.nanoClock());
    int maxBytes = 2 * maxBodyBytes + MessageOpener.MOST_BESIDE_BODY;
    Attempts attempts = new Attempts(core.attempts());
    DeadLetterNotes notes = new DeadLetterNotes(properties.deadLetterQueue(), core.nanoClock());
    for (JmsProtection.Queue queue : protection.queues()) {
      BrokerStatus status =
          new BrokerStatus("%s at %s".formatted(queue.name(), broker), core.clock());
      statuses.add(status);
      MessageFlow flow =
          new MessageFlow(
              readers.of(queue),
              signing,
              properties.deadLetterQueue(),
              properties.answerTimeToLive(),
              core.clock(),
              notes,
              core.listener());
      int count = queue.consumers() == null ? properties.consumers() : queue.consumers();
      // The first passes by what waits before the second calls of acts, which end while they wait.
      for (int i = 0; i <= count; i++) {
        Supplier<String> selector =
            i == 0 ? core.turn()::own : () -> core.turn().any(core.clock().instant());
        String name = "keywell-jms-" + (consumers.size() + 1);
        consumers.add(
            new RequestConsumer(
                name,
                broker,
                queue.name(),
                selector,
                core.turn().selection(),
                maxBytes,
                !queue.requests().isSigned(),
                attempts,
                flow,
                status,
                stop));
      }
    }
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

  /** Returns whether the broker is there, for each queue. */
  public List<BrokerStatus> statuses() {
    return List.copyOf(statuses);
  }
}
