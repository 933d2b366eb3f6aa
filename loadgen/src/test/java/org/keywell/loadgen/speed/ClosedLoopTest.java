package org.keywell.loadgen.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

@Timeout(60)
final class ClosedLoopTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final SpeedTask CREATE =
      new SpeedTask(KmipMessage.request("Create"), List.of("UniqueIdentifier"), 0);
  private static final SpeedTask GET =
      new SpeedTask(KmipMessage.request("Get"), List.of("UniqueIdentifier"), 32);

  @TempDir private Path files = Path.of("");

  private static Item key(int bytes) {
    return KmipStub.success(
        KmipMessage.id("key"), Tag.named("KeyMaterial").item(new Value.Bytes(new byte[bytes])));
  }

  private static Servers to(KmipStub... stubs) {
    return new Servers(stubs[0].client, Stream.of(stubs).map(KmipStub::port).toList());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aMeasurementEndsWithThePoolsPairs(boolean fresh) throws Exception {
    try (KmipStub stub = KmipStub.start(files, _ -> KmipStub.success(KmipMessage.id("key")))) {
      SpeedTrial trial = new ClosedLoop(to(stub), CREATE, fresh, LONG, 7).run(3);
      assertThat(trial.operations()).isEqualTo(7);
      assertThat(trial.usedUp()).isTrue();
      assertThat(stub.connections).hasValue(fresh ? 7 : 3);
    }
  }

  @Test
  void aMeasurementEndsWithItsTime() throws Exception {
    try (KmipStub stub = KmipStub.start(files, _ -> key(32))) {
      SpeedTrial trial =
          new ClosedLoop(to(stub), GET, false, Duration.ofMillis(300), 1_000_000).run(2);
      assertThat(trial.operations()).isPositive();
      assertThat(trial.usedUp()).isFalse();
      assertThat(trial.seconds()).isBetween(0.3, 30.0);
      assertThat(trial.perMinute()).isEqualTo(trial.operations() * 60 / trial.seconds());
    }
  }

  @Test
  void connectionsGoToEachServerInTurn() throws Exception {
    try (KmipStub one = KmipStub.start(files, _ -> key(32));
        KmipStub two = one.another()) {
      SpeedTrial _ = new ClosedLoop(to(one, two), GET, true, LONG, 20).run(3);
      assertThat(one.connections).hasValue(10);
      assertThat(two.connections).hasValue(10);
    }
  }

  @Test
  void oneFailureEndsAllClients() throws Exception {
    try (KmipStub stub =
        KmipStub.start(files, n -> n == 5 ? KmipStub.failure("no more") : key(32))) {
      assertThatIOException()
          .isThrownBy(() -> new ClosedLoop(to(stub), GET, true, LONG, 100).run(3))
          .withMessage("the operation failed: no more");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 40})
  void aResponseWithoutTheKeyIsAFailure(int bytes) throws Exception {
    try (KmipStub stub = KmipStub.start(files, _ -> key(bytes))) {
      assertThatIOException()
          .isThrownBy(() -> new ClosedLoop(to(stub), GET, false, LONG, 100).run(1))
          .withMessage("the response has no key of 32 bytes");
    }
  }

  /** So that a new connection pays for a full handshake. */
  @Test
  void aClosedConnectionLeavesNoSessionToResume() throws Exception {
    try (KmipStub stub = KmipStub.start(files, _ -> key(32))) {
      try (KmipClient client = KmipClient.connect(stub.client, stub.port())) {
        GET.perform(client);
        assertThat(sessions(stub)).isNotEmpty();
      }
      assertThat(sessions(stub)).isEmpty();
    }
  }

  private static List<byte[]> sessions(KmipStub stub) {
    return Collections.list(stub.client.getClientSessionContext().getIds());
  }
}
