package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The file {@code keywell.jms.protection-file}: how messages of each queue are protected.
 *
 * @param queues all queues that requests come from, 1 to 8
 * @param recipients whom answers are encrypted to, where the signer's certificate is not for that
 */
public record JmsProtection(
    @DefaultValue List<Queue> queues, @DefaultValue List<Recipient> recipients) {

  /** What a message must have. */
  public enum Quality {
    /** Nothing: the broker is trusted. */
    NONE,
    /** A signature of its sender. */
    INTEGRITY,
    /** A signature of its sender, and encryption to its receiver. */
    PRIVACY,
    /** Encryption to its receiver alone, which says nothing about the sender. */
    CONFIDENTIALITY;

    /** Whether the sender signs. */
    public boolean isSigned() {
      return this == INTEGRITY || this == PRIVACY;
    }

    /** Whether only the receiver can read it. */
    public boolean isEncrypted() {
      return this == PRIVACY || this == CONFIDENTIALITY;
    }
  }

  /**
   * A queue that requests come from.
   *
   * @param requests what requests must have
   * @param answers what answers get
   * @param callers whose requests are taken; empty: those of all callers
   * @param window how old a request may be, and how long its id is known, 1 min to 7 d
   * @param consumers requests that are worked on at the same time, 1 to 64; null: {@code
   *     keywell.jms.consumers}
   * @param messagesPerKey answers encrypted with one key where they are not signed; 0: as many as
   *     the algorithm allows
   */
  public record Queue(
      @DefaultValue("") String name,
      Quality requests,
      Quality answers,
      @DefaultValue List<String> callers,
      @DefaultValue("1h") Duration window,
      @Nullable Integer consumers,
      @DefaultValue("32") int messagesPerKey) {

    public Queue {
      JmsProperties.requireQueue("name", name);
      callers = List.copyOf(callers);
      // The binder leaves what the file does not have null.
      if (requests == null || answers == null) {
        throw new IllegalArgumentException(
            "queue "
                + name
                + " needs requests and answers: none, integrity, privacy or"
                + " confidentiality");
      }
      require(
          requests != Quality.NONE || answers == Quality.NONE,
          "answers of queue " + name,
          answers,
          "none, as its requests are: whom they are for is not certain");
      require("window of queue " + name, window, "1m", "7d");
      if (consumers != null) {
        require("consumers of queue " + name, consumers, 1, MOST_CONSUMERS);
      }
      require("messages-per-key of queue " + name, messagesPerKey, 0, Integer.MAX_VALUE);
    }
  }

  /** The certificate that a caller's answers are encrypted to, as a file in PEM. */
  public record Recipient(@DefaultValue("") String caller, @Nullable Path certificate) {
    public Recipient {
      if (caller.isBlank() || certificate == null) {
        throw new IllegalArgumentException("a recipient has a caller and a certificate");
      }
    }
  }

  private static final String SETTING = "keywell.jms.protection-file";
  private static final int MOST_QUEUES = 8;
  private static final int MOST_RECIPIENTS = 1_000;
  private static final int MOST_CONSUMERS = 64;

  public JmsProtection {
    queues = List.copyOf(queues);
    recipients = List.copyOf(recipients);
    require(
        !queues.isEmpty() && queues.size() <= MOST_QUEUES,
        "the number of queues",
        queues.size(),
        "1-" + MOST_QUEUES);
    require(
        recipients.size() <= MOST_RECIPIENTS,
        "the number of recipients",
        recipients.size(),
        "0-" + MOST_RECIPIENTS);
    Set<String> names = new HashSet<>();
    for (Queue queue : queues) {
      require(names.add(queue.name()), "queue", queue.name(), "each queue once");
    }
    Set<String> callers = new HashSet<>();
    for (Recipient recipient : recipients) {
      require(callers.add(recipient.caller()), "recipient", recipient.caller(), "each caller once");
    }
  }

  /**
   * Reads the file that settings name; without one, messages are as the broker delivers them.
   *
   * @throws StartRefusedException if the file is invalid, others may write to it, or a bundle that
   *     it needs is not set
   */
  public static JmsProtection of(JmsProperties jms) {
    Path file = jms.protectionFile();
    if (file == null) {
      Queue queue =
          new Queue(
              jms.requestQueue(),
              Quality.NONE,
              Quality.NONE,
              List.of(),
              Duration.ofHours(1),
              null,
              32);
      return new JmsProtection(List.of(queue), List.of());
    }
    refuseForeignWriters(file);
    JmsProtection read = StrictYaml.read(file, "protection", JmsProtection.class);
    try {
      read.requireFit(jms);
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(SETTING + ": " + file + ": " + e.getMessage(), e);
    }
    return read;
  }

  /** Anyone who can write to it could ask for no protection. */
  private static void refuseForeignWriters(Path file) {
    try {
      PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
      if (view == null) {
        return;
      }
      Set<PosixFilePermission> mode = view.readAttributes().permissions();
      if (mode.contains(PosixFilePermission.GROUP_WRITE)
          || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
        throw new StartRefusedException(
            "%s: %s can be written to by its group or by others; make its mode 0644 or less"
                .formatted(SETTING, file));
      }
    } catch (IOException e) {
      throw new StartRefusedException(SETTING + ": " + file + " cannot be read", e);
    }
  }

  private void requireFit(JmsProperties jms) {
    int consumers = 0;
    for (Queue queue : queues) {
      consumers += queue.consumers() == null ? jms.consumers() : queue.consumers();
      require(
          JmsProperties.isRequestQueue(queue.name(), jms.deadLetterQueue(), jms.replyPrefix()),
          "queue",
          queue.name(),
          "neither keywell.jms.dead-letter-queue nor a name that begins as"
              + " keywell.jms.reply-prefix");
      if (jms.enabled() && !queue.requests().isSigned()) {
        JmsProperties.requireSenders(jms.validatedUser());
      }
      boolean signs = queue.requests().isSigned() || queue.answers().isSigned();
      if (signs && jms.signingBundle() == null) {
        throw new IllegalArgumentException(
            "queue "
                + queue.name()
                + " has signed messages, which needs"
                + " keywell.jms.signing-bundle");
      }
      if (queue.requests().isEncrypted() && jms.decryptionBundle() == null) {
        throw new IllegalArgumentException(
            "queue "
                + queue.name()
                + " has encrypted requests, which needs"
                + " keywell.jms.decryption-bundle");
      }
    }
    require("consumers of all queues together", consumers, 1, MOST_CONSUMERS);
  }
}
