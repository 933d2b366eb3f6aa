package org.keywell.rest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.rest.problem.ProblemType;
import org.keywell.signing.request.SampleRequests;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.OpenAdmission;
import org.keywell.signing.sign.ServiceTime;
import org.keywell.signing.sign.SignRequestQueue;

final class SignDoorTest {

  private final List<ProblemType> told = new ArrayList<>();
  private final Admission admission =
      OpenAdmission.to(new SignRequestQueue(1, System::nanoTime), new ServiceTime(1, 1));
  private final SignDoor door = new SignDoor(admission, told::add);

  @Test
  void isOpenWhileTheQueueHasAPlace() {
    assertThat(door.refusal("POST", "/sign")).isNull();
    assertThat(told).isEmpty();
  }

  @Test
  void isClosedForRequestsForSignaturesWhileItHasNone() {
    admission.admit(OpenAdmission.pending(SampleRequests.any()));

    assertThat(door.refusal("POST", "/sign"))
        .satisfies(problem -> assertThat(problem.type()).isEqualTo(ProblemType.QUEUE_FULL));
    assertThat(told).containsExactly(ProblemType.QUEUE_FULL);
    assertThat(door.refusal("GET", "/sign/1")).isNull();
    assertThat(door.refusal("GET", "/pool")).isNull();
    assertThat(told).hasSize(1);
  }
}
