package org.keywell.service.launch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.keywell.settings.StartRefusedException;
import org.springframework.mock.env.MockEnvironment;

final class PortCheckTest {

  private final MockEnvironment environment =
      new MockEnvironment()
          .withProperty("server.address", "127.0.0.1")
          .withProperty("management.server.address", "127.0.0.1");

  @Test
  void aTakenPortIsNamedWithItsPurpose() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());

      assertRefused("server.port", port)
          .withMessageContaining("port " + port + " cannot be used")
          .withMessageContaining("in use")
          .withMessageContaining("SERVER_PORT or --port");
      environment.setProperty("server.port", "0");
      assertRefused("management.server.port", port)
          .withMessageContaining("port " + port + ", for health and metrics, cannot be used")
          .withMessageContaining("MANAGEMENT_SERVER_PORT");
      environment.setProperty("management.server.port", "0");
      assertRefused("keywell.ca.crl.port", port)
          .withMessageContaining(
              "port " + port + ", for lists of revoked certificates, cannot be used")
          .withMessageContaining("KEYWELL_CA_CRL_PORT");
      environment.setProperty("keywell.ca.crl.port", "0");
      environment.setProperty("keywell.kmip.port", port);
      assertThatCode(() -> PortCheck.check(environment)).doesNotThrowAnyException();
      assertRefused("keywell.kmip.enabled", "true")
          .withMessageContaining("port " + port + ", for KMIP, cannot be used")
          .withMessageContaining("keywell.kmip.port");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    environment.setProperty("server.address", "192.0.2.1");

    assertRefused("server.port", "18431").withMessageContaining("cannot be used");
  }

  @Test
  void freePortsAndThoseThatTheSystemChoosesAreLeftFree() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    environment.setProperty("server.port", Integer.toString(free));
    environment.setProperty("management.server.port", "-1");

    assertThatCode(() -> PortCheck.check(environment)).doesNotThrowAnyException();
    new ServerSocket(free, 1, InetAddress.getLoopbackAddress()).close();
    environment.setProperty("server.port", "0");
    assertThatCode(() -> PortCheck.check(environment)).doesNotThrowAnyException();
  }

  private ThrowableAssertAlternative<StartRefusedException> assertRefused(
      String name, String value) {
    environment.setProperty(name, value);
    return assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> PortCheck.check(environment));
  }
}
