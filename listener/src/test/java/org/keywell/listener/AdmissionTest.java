package org.keywell.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class AdmissionTest {

  private static final String HERE = "192.0.2.1";
  private static final String ELSEWHERE = "192.0.2.2";

  private record Client(String name, Origin origin, Guest.@Nullable Wait waiting)
      implements Guest {}

  private final List<Client> open = new ArrayList<>();

  private void served(String name, String address) throws UnknownHostException {
    open.add(new Client(name, Origin.of(InetAddress.getByName(address)), null));
  }

  private void inTransit(String name, String address, long since) throws UnknownHostException {
    add(name, address, new Guest.Wait(false, since));
  }

  private void resting(String name, String address, long since) throws UnknownHostException {
    add(name, address, new Guest.Wait(true, since));
  }

  private void add(String name, String address, Guest.Wait wait) throws UnknownHostException {
    open.add(new Client(name, Origin.of(InetAddress.getByName(address)), wait));
  }

  private @Nullable String makesRoom() {
    @Nullable Client client = Admission.toMakeRoom(open);
    return client == null ? null : client.name();
  }

  @Test
  void whoIsServedKeepsThePlace() throws Exception {
    assertThat(makesRoom()).isNull();
    served("served", HERE);
    assertThat(makesRoom()).isNull();

    inTransit("newcomer", HERE, 9);
    assertThat(makesRoom()).isEqualTo("newcomer");
  }

  @Test
  void theLongestWaitingGoesFirst() throws Exception {
    inTransit("second", HERE, 2);
    inTransit("first", HERE, 1);
    inTransit("third", HERE, 3);

    assertThat(makesRoom()).isEqualTo("first");
  }

  /** The clock may have any value, and pass the largest one. */
  @Test
  void timesAreComparedByTheirDifference() throws Exception {
    inTransit("later", HERE, Long.MIN_VALUE + 5);
    inTransit("earlier", HERE, Long.MAX_VALUE - 5);

    assertThat(makesRoom()).isEqualTo("earlier");
  }

  @Test
  void theOriginWithMostOfThemGivesUpOne() throws Exception {
    inTransit("oldest", ELSEWHERE, 1);
    inTransit("old", HERE, 2);
    inTransit("young", HERE, 3);

    assertThat(makesRoom()).isEqualTo("old");
  }

  /** As behind one proxy. */
  @Test
  void keptConnectionsStayBesideSlowOnesOfTheSameOrigin() throws Exception {
    resting("kept", HERE, 1);
    inTransit("slow", HERE, 2);
    inTransit("newcomer", HERE, 3);

    assertThat(makesRoom()).isEqualTo("slow");
  }

  @Test
  void keptConnectionsDoNotKeepOutNewcomers() throws Exception {
    resting("kept", HERE, 1);
    resting("kept later", HERE, 2);
    inTransit("newcomer", HERE, 3);

    assertThat(makesRoom()).isEqualTo("kept");
  }

  @Test
  void ofGroupsOfOneSizeTheLongestWaitingGoesFirst() throws Exception {
    inTransit("newcomer", HERE, 3);
    resting("kept", ELSEWHERE, 2);

    assertThat(makesRoom()).isEqualTo("kept");
  }
}
