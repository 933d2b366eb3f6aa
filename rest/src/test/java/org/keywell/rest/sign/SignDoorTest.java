package org.keywell.rest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.rest.Callers;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.signing.caller.Role;
import org.keywell.signing.sign.Admission;

final class SignDoorTest {

  private final List<ProblemType> told = new ArrayList<>();
  private final Admission admission = AskedFor.admission(1);
  private final SignDoor door =
      new SignDoor(EndpointRoles.ofTheService().pathsThatTakePlaces(), admission, told::add);

  @Test
  void isOpenWhileTheQueueHasAPlace() {
    assertThat(door.refusal("POST", "/sign")).isNull();
    assertThat(told).isEmpty();
  }

  @Test
  void isClosedForRequestsForSignaturesWhileItHasNone() {
    AskedFor.admit(admission, Callers.of("loopback", Role.SIGN));

    assertThat(door.refusal("POST", "/sign"))
        .satisfies(problem -> assertThat(problem.type()).isEqualTo(ProblemType.QUEUE_FULL));
    assertThat(told).containsExactly(ProblemType.QUEUE_FULL);
    assertThat(door.refusal("POST", "/acts")).isNotNull();
    told.removeLast();
    assertThat(door.refusal("POST", "/witness/add-checkpoint")).isNull();
    assertThat(door.refusal("GET", "/sign/1")).isNull();
    assertThat(door.refusal("GET", "/pool")).isNull();
    assertThat(told).hasSize(1);
  }
}
