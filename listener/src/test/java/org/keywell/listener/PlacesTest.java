package org.keywell.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.ManualTime;

final class PlacesTest {

  private static final int MOST = 200;

  private final ManualTime time = new ManualTime();
  private final Places places = new Places(MOST);
  private int displaced;

  private Occupation from(String address) throws Exception {
    InetAddress parsed = InetAddress.getByName(address);
    return new Occupation(
        new Socket() {
          @Override
          public InetAddress getInetAddress() {
            return parsed;
          }
        },
        time);
  }

  private boolean take(Occupation newcomer) {
    return places.take(newcomer, () -> displaced++);
  }

  private static boolean isOpen(Occupation connection) {
    return connection.work(null);
  }

  /** 210 bare connections, and clients of the same address. */
  @Test
  void bareConnectionsMakeRoomForClients() throws Exception {
    List<Occupation> bare = new ArrayList<>();
    for (int i = 0; i < 210; i++) {
      bare.add(from("192.0.2.1"));
      assertThat(take(bare.getLast())).isTrue();
    }
    List<Occupation> clients = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      clients.add(from("192.0.2.1"));
      assertThat(take(clients.getLast())).isTrue();
      clients.getLast().proven();
    }

    assertThat(clients).allMatch(PlacesTest::isOpen);
    assertThat(bare.subList(0, 50))
        .as("the longest-waiting go first")
        .noneMatch(PlacesTest::isOpen);
    assertThat(bare.subList(50, 210)).allMatch(PlacesTest::isOpen);
    assertThat(places.size()).isEqualTo(MOST);
    assertThat(displaced).isEqualTo(50);
  }

  /** Another address's client in its handshake is older, and stays. */
  @Test
  void theAddressWithMostStrangersMakesRoom() throws Exception {
    Occupation client = from("192.0.2.2");
    assertThat(take(client)).isTrue();
    for (int i = 0; i < 300; i++) {
      assertThat(take(from("192.0.2.1"))).isTrue();
    }

    assertThat(isOpen(client)).isTrue();
  }

  /** Of IPv6, a subscriber's addresses count as one. */
  @Test
  void manyAddressesOfOneSubscriberAreOne() throws Exception {
    List<Occupation> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      others.add(from("192.0.2.2"));
      assertThat(take(others.getLast())).isTrue();
    }
    for (int i = 0; i < 300; i++) {
      assertThat(take(from("2001:db8::" + Integer.toHexString(i + 1)))).isTrue();
    }

    assertThat(others).allMatch(PlacesTest::isOpen);
  }

  @Test
  void provenClientsKeepTheirPlaces() throws Exception {
    for (int i = 0; i < MOST; i++) {
      Occupation client = from("192.0.2.1");
      assertThat(take(client)).isTrue();
      client.proven();
    }

    assertThat(take(from("192.0.2.2"))).isFalse();
    assertThat(displaced).isZero();
  }

  /** Threads of connections that were cut take a moment to end. */
  @Test
  void threadsAreBoundedToo() throws Exception {
    int taken = 0;
    while (take(from("192.0.2.1"))) {
      taken++;
    }
    assertThat(taken).isEqualTo(MOST + 250);
    assertThat(places.size()).isEqualTo(MOST);

    places.leave(from("192.0.2.1"));
    assertThat(take(from("192.0.2.1"))).isTrue();
  }
}
