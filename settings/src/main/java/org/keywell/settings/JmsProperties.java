package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.jms.*}.
 *
 * @param enabled whether the service takes requests from a broker
 * @param embedded whether the broker is one that comes with the program and runs in its data
 *     directory; for trying out
 * @param brokers where the broker is, as {@code HOST:PORT}; the first that answers is used
 * @param bundle the name of a Spring SSL bundle with the authorities of the broker's certificate,
 *     and a certificate of this service if the broker wants one; null: no TLS, which only a broker
 *     on this machine may have
 * @param username of this service at the broker; required if it is enabled
 * @param passwordFile a file with the password, for its owner alone; required if it is enabled
 * @param validatedUser whether the broker writes the name of a message's sender into it, in place
 *     of what the sender claims; required to be true if it is enabled, unless all requests are
 *     signed
 * @param requestQueue where requests come from
 * @param deadLetterQueue where messages go that cannot be requests of a caller
 * @param replyPrefix a caller's answers may go to the queue that is named by this and the caller's
 *     name
 * @param consumers requests that are worked on at the same time, each with a connection, 1 to 64
 * @param answerTimeToLive how long the broker keeps an answer, 1 min to 30 d
 * @param protectionFile the file with queues whose messages are protected; null: requests come from
 *     the request queue, and none is
 * @param signingBundle the name of a Spring SSL bundle with the authorities of senders'
 *     certificates, and the key by which answers are signed; null: messages have no signatures
 * @param decryptionBundle the name of a Spring SSL bundle with the key that opens requests; null:
 *     none is encrypted
 */
public record JmsProperties(
    @DefaultValue("false") boolean enabled,
    @DefaultValue("false") boolean embedded,
    @DefaultValue("127.0.0.1:61616") List<String> brokers,
    @Nullable String bundle,
    @Nullable String username,
    @Nullable Path passwordFile,
    @DefaultValue("false") boolean validatedUser,
    @DefaultValue("keywell.requests") String requestQueue,
    @DefaultValue("keywell.dead-letters") String deadLetterQueue,
    @DefaultValue("keywell.replies.") String replyPrefix,
    @DefaultValue("4") int consumers,
    @DefaultValue("1d") Duration answerTimeToLive,
    @Nullable Path protectionFile,
    @Nullable String signingBundle,
    @Nullable String decryptionBundle) {

  /** Where a broker listens. */
  public record Broker(String host, int port) {

    /** Whether nobody outside of this machine can listen in; resolves no name. */
    boolean isOnThisMachine() {
      return LOOPBACK.matcher(host).matches();
    }
  }

  private static final int MOST_BROKERS = 8;

  /** What a broker could read otherwise: separators of parameters and of qualified names. */
  private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  private static final Pattern BROKER =
      Pattern.compile("(\\[[0-9a-fA-F:.]+]|[A-Za-z0-9._-]+):([0-9]{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|::1|0:0:0:0:0:0:0:1");

  public JmsProperties {
    require(
        !brokers.isEmpty() && brokers.size() <= MOST_BROKERS,
        "keywell.jms.brokers",
        brokers,
        "1-" + MOST_BROKERS + " of HOST:PORT");
    brokers = List.copyOf(brokers);
    requireQueue("keywell.jms.request-queue", requestQueue);
    requireQueue("keywell.jms.dead-letter-queue", deadLetterQueue);
    requireQueue("keywell.jms.reply-prefix", replyPrefix);
    require(
        isRequestQueue(requestQueue, deadLetterQueue, replyPrefix)
            && !deadLetterQueue.startsWith(replyPrefix),
        "keywell.jms.reply-prefix",
        "'" + replyPrefix + "'",
        "no beginning of request-queue or dead-letter-queue, which are two");
    require("keywell.jms.consumers", consumers, 1, 64);
    require("keywell.jms.answer-time-to-live", answerTimeToLive, "1m", "30d");
    bundle = bundle == null || bundle.isBlank() ? null : bundle;
    username = username == null || username.isBlank() ? null : username;
    signingBundle = signingBundle == null || signingBundle.isBlank() ? null : signingBundle;
    decryptionBundle =
        decryptionBundle == null || decryptionBundle.isBlank() ? null : decryptionBundle;
    List<Broker> parsed = parse(brokers);
    require(
        !embedded || (parsed.size() == 1 && parsed.getFirst().isOnThisMachine() && bundle == null),
        "keywell.jms.embedded",
        embedded,
        "false unless keywell.jms.brokers is one address on this machine, without TLS");
    if (enabled) {
      if (username == null || passwordFile == null) {
        throw new IllegalArgumentException(
            "keywell.jms.enabled is true, which needs keywell.jms.username and"
                + " keywell.jms.password-file");
      }
      if (protectionFile == null) {
        requireSenders(validatedUser);
      }
      if (bundle == null && !parsed.stream().allMatch(Broker::isOnThisMachine)) {
        throw new IllegalArgumentException(
            "keywell.jms.brokers names another machine, which needs keywell.jms.bundle: without"
                + " TLS, the password and all documents' digests travel in clear");
      }
    }
  }

  static void requireQueue(String name, String queue) {
    require(QUEUE.matcher(queue).matches(), name, "'" + queue + "'", "1-128 of A-Z a-z 0-9 . _ -");
  }

  /** Whether requests may come from a queue: nothing that is moved or answered goes there. */
  static boolean isRequestQueue(String queue, String deadLetterQueue, String replyPrefix) {
    return !queue.equals(deadLetterQueue) && !queue.startsWith(replyPrefix);
  }

  /** Without a signature, only the broker can say who sent a request. */
  static void requireSenders(boolean validatedUser) {
    if (!validatedUser) {
      throw new IllegalArgumentException(
          "keywell.jms has a queue for requests without signatures, which needs a broker that"
              + " states who sent a message: turn on its populate-validated-user, then set"
              + " keywell.jms.validated-user");
    }
  }

  /** Returns where the broker is, in the order in which it is looked for. */
  public List<Broker> addresses() {
    return parse(brokers);
  }

  private static List<Broker> parse(List<String> brokers) {
    List<Broker> parsed = new ArrayList<>();
    for (String broker : brokers) {
      Matcher parts = BROKER.matcher(broker);
      int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
      require(port >= 1 && port <= 65_535, "keywell.jms.brokers", "'" + broker + "'", "HOST:PORT");
      parsed.add(new Broker(parts.group(1).replaceAll("[\\[\\]]", ""), port));
    }
    return List.copyOf(parsed);
  }
}
