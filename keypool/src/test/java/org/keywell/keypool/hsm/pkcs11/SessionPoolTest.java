package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

@Tag("softhsm")
final class SessionPoolTest {
  private final SoftHsmToken token = SoftHsmToken.createWithoutWrappingKey();

  private SessionPool pool() {
    Functions functions =
        CryptokiLibrary.load(token.config().module(), Optional.empty()).functions();
    long slotId = new Slots(functions).require(token.config().tokenLabel()).slotId();
    List<Session> sessions =
        List.of(Session.open(functions, slotId), Session.open(functions, slotId));
    return new SessionPool(sessions, "maxSessions", Duration.ofMillis(1));
  }

  @Test
  void refusesNamingTheLimitWhenAllAreInUse() {
    try (SessionPool pool = pool()) {
      Session first = pool.borrow();
      Session second = pool.borrow();
      assertThat(first).isNotSameAs(second);

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(pool::borrow)
          .withMessageContaining("maxSessions = 2")
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.EXHAUSTED));

      pool.giveBack(second);
      assertThat(pool.borrow()).isSameAs(second);
      pool.giveBack(first);
      pool.giveBack(second);
    }
  }

  @Test
  void anInterruptedWaiterIsRefusedAndStaysInterrupted() {
    try (SessionPool pool = pool()) {
      Session first = pool.borrow();
      Session second = pool.borrow();
      Thread.currentThread().interrupt();

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(pool::borrow)
          .satisfies(e -> {
            assertThat(e.reason()).isEqualTo(Reason.INTERRUPTED);
            assertThat(e.concernsDevice()).as("no key is to blame").isTrue();
          });

      assertThat(Thread.interrupted()).isTrue();
      pool.giveBack(first);
      pool.giveBack(second);
    }
  }

  @Test
  void aSessionInUseClosesWhenItComesBack() {
    SessionPool pool = pool();
    Session used = pool.borrow();

    pool.close();
    assertThat(used.functions().findObjectsInit(used.handle(), anything())).isZero();
    pool.giveBack(used);

    assertThat(used.functions().findObjectsFinal(used.handle()))
        .isEqualTo(ReturnValue.CKR_SESSION_HANDLE_INVALID.code());
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(pool::borrow)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SESSION_LOST));
  }

  private static Template anything() {
    return Template.in(Arena.ofAuto()).build();
  }
}
