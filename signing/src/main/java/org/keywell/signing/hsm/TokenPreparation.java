package org.keywell.signing.hsm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.keywell.settings.StartRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates what the pool needs and lacks: the wrapping key and, given the security officer's PIN,
 * the token itself. Devices with the same wrapping-key label get the same key.
 */
public final class TokenPreparation {

  private static final Logger log = LoggerFactory.getLogger(TokenPreparation.class);

  private static final String CREATED = "created: ";

  private final List<TokenAccess> tokens;
  private final Optional<TokenAccess> managed;
  private final List<String> made = new CopyOnWriteArrayList<>();

  public TokenPreparation(List<TokenAccess> tokens) {
    this(tokens, Optional.empty());
  }

  /**
   * As {@link #TokenPreparation(List)}, with a key that wraps what clients manage.
   *
   * @param managed the token that keeps it, with its label
   */
  public TokenPreparation(List<TokenAccess> tokens, Optional<TokenAccess> managed) {
    this.tokens = List.copyOf(tokens);
    this.managed = managed;
  }

  /**
   * Creates what is missing; never changes what exists. Reports what it created or found.
   *
   * @throws StartRefusedException if only some devices have the wrapping key: no device gets a
   *     separate pool by accident
   */
  public List<String> ensure() {
    List<String> report = new ArrayList<>();
    for (TokenAccess token : tokens) {
      if (token.credentials().maySetUpToken()) {
        report.add(token.use(() -> ensureToken(token)));
      }
    }
    Map<String, List<TokenAccess>> byLabel =
        tokens.stream()
            .collect(
                Collectors.groupingBy(
                    token -> token.config().wrappingKeyLabel(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    byLabel.forEach((label, sharing) -> report.addAll(ensureWrappingKey(label, sharing)));
    managed.ifPresent(token -> report.add(ensureManagedKey(token)));
    report.stream()
        .filter(line -> line.startsWith(CREATED))
        .forEach(line -> made.add(line.substring(CREATED.length())));
    return report;
  }

  /** Returns what {@link #ensure} has created, without secrets. */
  public List<String> made() {
    return List.copyOf(made);
  }

  /**
   * Checks that no token refused the last PIN.
   *
   * @throws org.keywell.keypool.hsm.HsmException if one did
   */
  void requireNoRefusedLogin() {
    for (TokenAccess token : tokens) {
      token.use(() -> {
        token.requireNoRefusedLogin();
        return token;
      });
    }
  }

  private static String ensureToken(TokenAccess token) {
    HsmCredentials credentials = token.credentials();
    try (Pin pin = credentials.userPin();
        Pin soPin = credentials.securityOfficerPin()) {
      TokenBootstrap.Result made = TokenBootstrap.ensureToken(token.config(), soPin, pin);
      return told(made.created(), made.description(), List.of(token));
    }
  }

  private static String ensureManagedKey(TokenAccess token) {
    return token.use(() -> {
      try (Pin pin = token.credentials().userPin()) {
        TokenBootstrap.Result key = TokenBootstrap.ensureManagedWrappingKey(token.config(), pin);
        return told(key.created(), "managed " + key.description(), List.of(token));
      }
    });
  }

  private static List<String> ensureWrappingKey(String label, List<TokenAccess> sharing) {
    List<String> report = new ArrayList<>();
    List<TokenAccess> lacking = new ArrayList<>();
    for (TokenAccess token : sharing) {
      token
          .use(() -> find(token))
          .ifPresentOrElse(
              id -> report.add(told(false, "wrapping key " + id, List.of(token))),
              () -> lacking.add(token));
    }
    if (lacking.isEmpty()) {
      return report;
    }
    if (!report.isEmpty()) {
      throw new StartRefusedException(
          "of the devices with the wrapping key '%s', %s has none, and what others have cannot leave their tokens. For one pool: a label that none has yet (keywell.hsm.wrapping-key-label), or ./keywell hsm enrol; for a pool of its own: a label of its own"
              .formatted(label, names(lacking)));
    }
    String made =
        sharing.size() == 1
            ? make(sharing.getFirst())
            : "wrapping key " + SharedWrappingKey.make(sharing);
    return List.of(told(true, made, sharing));
  }

  private static Optional<String> find(TokenAccess token) {
    try (Pin pin = token.credentials().userPin()) {
      return TokenBootstrap.findWrappingKey(token.config(), pin);
    }
  }

  private static String make(TokenAccess token) {
    return token.use(() -> {
      try (Pin pin = token.credentials().userPin()) {
        return TokenBootstrap.ensureWrappingKey(token.config(), pin).description();
      }
    });
  }

  private static String told(boolean created, String what, List<TokenAccess> where) {
    String line =
        (created ? CREATED : "exists:  ")
            + what
            + (where.getFirst().listed() ? ", in " + names(where) : "");
    log.info("bootstrap {}", line);
    return line;
  }

  private static String names(List<TokenAccess> tokens) {
    return tokens.stream().map(TokenAccess::name).collect(Collectors.joining(" and "));
  }
}
