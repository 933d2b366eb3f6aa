package org.keywell.service.hsm;

import java.util.ArrayList;
import java.util.List;
import org.keywell.keypool.hsm.pkcs11.Pin;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;
import org.keywell.keypool.hsm.pkcs11.TokenBootstrap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what the pool needs, if it is not there: the wrapping key and, given the security officer's
 * PIN, the token itself.
 */
public final class TokenPreparation {

  private static final Logger log = LoggerFactory.getLogger(TokenPreparation.class);

  private final Pkcs11Config config;
  private final HsmCredentials credentials;

  public TokenPreparation(Pkcs11Config config, HsmCredentials credentials) {
    this.config = config;
    this.credentials = credentials;
  }

  /** Leaves alone what exists; running it again changes nothing. Says what it made or found. */
  public List<String> ensure() {
    List<String> report = new ArrayList<>();
    try (Pin pin = credentials.userPin()) {
      if (credentials.maySetUpToken()) {
        try (Pin soPin = credentials.securityOfficerPin()) {
          report.add(describe(TokenBootstrap.ensureToken(config, soPin, pin)));
        }
      }
      report.add(describe(TokenBootstrap.ensureWrappingKey(config, pin)));
    }
    return report;
  }

  private static String describe(TokenBootstrap.Result result) {
    String line = (result.created() ? "created: " : "exists:  ") + result.description();
    log.info("bootstrap {}", line);
    return line;
  }
}
