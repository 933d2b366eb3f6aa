package org.keywell.rest.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.keywell.rest.Callers;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.CallerLimits;
import org.keywell.signing.caller.Role;
import org.keywell.signing.fairness.CallerRates;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.SignListener;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class CallerDoorTest {

  /** Of the queue's places. */
  private static final CallerLimits HALF = new CallerLimits(0, 0, 0, 50);

  private final AtomicLong nanos = new AtomicLong();
  private final List<AdmissionLimit> refused = new ArrayList<>();
  private final List<ProblemType> answered = new ArrayList<>();
  private final Admission admission = AskedFor.admission(4);
  private final CallerDoor door =
      new CallerDoor(
          EndpointRoles.ofTheService(),
          new CallerRates(nanos::get),
          () -> admission,
          () ->
              new SignListener() {
                @Override
                public void refused(AdmissionLimit limit) {
                  refused.add(limit);
                }
              },
          new ProblemWriter(answered::add));

  @Test
  void whoAsksTooFastIsToldItsRateAndWhenToComeBack() {
    Caller caller = Callers.limited("caller", new CallerLimits(2, 1, 0, 50));
    assertThat(door.refusal(caller)).isNull();

    assertThat(door.refusal(caller))
        .isEqualTo(
            new Problem(
                ProblemType.RATE_LIMIT,
                "the caller's rate-per-second is 2, its burst 1",
                Duration.ofMillis(500)));
    assertThat(refused).containsExactly(AdmissionLimit.RATE_LIMIT);
    nanos.addAndGet(500_000_000);
    assertThat(door.refusal(caller)).isNull();
  }

  @Test
  void whoseShareIsFullIsTurnedAwayAndNobodyElse() {
    Caller flooder = Callers.limited("flooder", HALF);
    AskedFor.admit(admission, flooder);
    AskedFor.admit(admission, flooder);

    assertThat(door.refusal(flooder))
        .satisfies(problem -> assertThat(problem.type()).isEqualTo(ProblemType.QUEUE_SHARE));
    assertThat(door.refusal(Callers.limited("other", HALF))).isNull();
  }

  @Test
  void aRefusalIsAnsweredBeforeTheBodyIsRead() throws Exception {
    for (int i = 0; i < 4; i++) {
      AskedFor.admit(admission, Callers.of("loopback", Role.SIGN));
    }
    MockHttpServletRequest post = new MockHttpServletRequest("POST", "/sign");
    // As the edge notes who calls.
    post.setAttribute(Caller.class.getName(), Caller.onLoopback());
    MockHttpServletResponse answer = new MockHttpServletResponse();
    MockFilterChain inside = new MockFilterChain();

    door.doFilter(post, answer, inside);

    assertThat(inside.getRequest()).as("what reads bodies").isNull();
    assertThat(answer.getStatus()).isEqualTo(503);
    assertThat(answer.getHeader("Retry-After")).isEqualTo("1");
    assertThat(answered).containsExactly(ProblemType.QUEUE_FULL);
  }

  /** Of all endpoints, those that sign, however they are spelled, and no others. */
  @Test
  void onlyWhatAsksForASignatureWaitsForAPlace() throws Exception {
    for (int i = 0; i < 4; i++) {
      AskedFor.admit(admission, Callers.of("loopback", Role.SIGN));
    }
    List<String> turnedAway = new ArrayList<>();
    Stream<String> endpoints =
        EndpointRoles.ofTheService().endpoints().stream()
            .map(each -> each.method() + " " + each.path().getPatternString().replace("**", "x"));
    Stream<String> spellings = Stream.of("POST /%73ign", "POST /acts;a=b", "POST /no/such");
    for (String each : Stream.concat(endpoints, spellings).toList()) {
      int space = each.indexOf(' ');
      MockHttpServletRequest request =
          new MockHttpServletRequest(each.substring(0, space), each.substring(space + 1));
      request.setAttribute(Caller.class.getName(), Caller.onLoopback());
      MockFilterChain inside = new MockFilterChain();
      door.doFilter(request, new MockHttpServletResponse(), inside);
      if (inside.getRequest() == null) {
        turnedAway.add(each);
      }
    }

    assertThat(turnedAway)
        .containsExactly("POST /sign", "POST /acts", "POST /%73ign", "POST /acts;a=b");
  }
}
