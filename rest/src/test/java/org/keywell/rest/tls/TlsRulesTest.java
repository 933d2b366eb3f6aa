package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TlsRulesTest {

  private static final String DEFAULT = "ssl.KeyManagerFactory.algorithm";

  private final String before = Security.getProperty(DEFAULT);

  @BeforeEach
  void useAnotherDefault() {
    Security.setProperty(DEFAULT, "PKIX");
  }

  @AfterEach
  void restore() {
    Security.setProperty(DEFAULT, before);
  }

  /** Whatever Java's default is: the other one halves the rate of new connections. */
  @Test
  void theKeyManagerIsTheFastOne() {
    SSLHostConfig config = new SSLHostConfig();
    assertThat(config.getKeyManagerAlgorithm()).isEqualTo("PKIX");

    TlsRules.apply(config);

    assertThat(config.getKeyManagerAlgorithm()).isEqualTo("SunX509");
  }
}
