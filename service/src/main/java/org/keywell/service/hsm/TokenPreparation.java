package org.keywell.service.hsm;

import java.util.ArrayList;
import java.util.List;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what the pool needs, if it is not there: the wrapping key and, given the security officer's
 * PIN, the token itself.
 */
public final class TokenPreparation {

  private static final Logger log = LoggerFactory.getLogger(TokenPreparation.class);

  private final List<TokenAccess> tokens;

  public TokenPreparation(List<TokenAccess> tokens) {
    this.tokens = List.copyOf(tokens);
  }

  /** Leaves alone what exists; running it again changes nothing. Says what it made or found. */
  public List<String> ensure() {
    List<String> report = new ArrayList<>();
    tokens.forEach(token -> report.addAll(token.use(() -> ensure(token))));
    return report;
  }

  /**
   * Lets pass if no token refused the last PIN.
   *
   * @throws org.keywell.keypool.hsm.HsmException otherwise
   */
  void requireNoRefusedLogin() {
    for (TokenAccess token : tokens) {
      token.use(() -> {
        token.requireNoRefusedLogin();
        return token;
      });
    }
  }

  private static List<String> ensure(TokenAccess token) {
    List<String> report = new ArrayList<>();
    HsmCredentials credentials = token.credentials();
    try (Pin pin = credentials.userPin()) {
      if (credentials.maySetUpToken()) {
        try (Pin soPin = credentials.securityOfficerPin()) {
          report.add(describe(TokenBootstrap.ensureToken(token.config(), soPin, pin)));
        }
      }
      report.add(describe(TokenBootstrap.ensureWrappingKey(token.config(), pin)));
    }
    return report;
  }

  private static String describe(TokenBootstrap.Result result) {
    String line = (result.created() ? "created: " : "exists:  ") + result.description();
    log.info("bootstrap {}", line);
    return line;
  }
}
