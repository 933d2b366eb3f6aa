package org.keywell.kmip.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.kmip.object.State.ACTIVE;
import static org.keywell.kmip.object.State.COMPROMISED;
import static org.keywell.kmip.object.State.DEACTIVATED;
import static org.keywell.kmip.object.State.DESTROYED;
import static org.keywell.kmip.object.State.DESTROYED_COMPROMISED;
import static org.keywell.kmip.object.State.PRE_ACTIVE;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Enumerations;

final class StateTest {

  /** The arrows of the specification's figure of states, but for the creation of an object. */
  private static final Set<List<State>> ARROWS =
      Set.of(
          List.of(PRE_ACTIVE, DESTROYED),
          List.of(PRE_ACTIVE, COMPROMISED),
          List.of(PRE_ACTIVE, ACTIVE),
          List.of(ACTIVE, COMPROMISED),
          List.of(ACTIVE, DEACTIVATED),
          List.of(DEACTIVATED, DESTROYED),
          List.of(DEACTIVATED, COMPROMISED),
          List.of(COMPROMISED, DESTROYED_COMPROMISED),
          List.of(DESTROYED, DESTROYED_COMPROMISED));

  @Test
  void numbersAreTheSpecifications() {
    assertThat(State.values())
        .allSatisfy(each -> assertThat(State.valued(each.value())).isSameAs(each))
        .extracting(State::value)
        .containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(ObjectType.values())
        .allSatisfy(each -> {
          assertThat(ObjectType.valued(each.value())).isSameAs(each);
          assertThat(Enumerations.named("ObjectType", each.label()).bits()).isEqualTo(each.value());
        })
        .extracting(ObjectType::value)
        .containsExactly(1, 2, 3, 4, 7, 8);
  }

  @Test
  void walksFollowTheArrowsAndKeepMaterialUntilDestruction() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      ManagedObject object = SampleObjects.key("alice", Attributes.NONE);
      for (int step = 0; step < 20; step++) {
        ManagedObject before = object;
        State wanted = State.valued(1 + random.nextInt(6));
        boolean destroys = wanted.isDestroyed() && !before.state().isDestroyed();
        boolean allowed = ARROWS.contains(List.of(before.state(), wanted));
        if (!allowed) {
          refused(() -> before.in(wanted));
        } else if (destroys) {
          assertThatIllegalArgumentException().isThrownBy(() -> before.in(wanted));
          object = before.destroyed();
          assertThat(object.state()).isEqualTo(wanted);
        } else {
          object = before.in(wanted);
          assertThat(object.state()).isEqualTo(wanted);
        }
        assertThat(object.material() == null).isEqualTo(object.state().isDestroyed());
      }
    }
  }

  private static void refused(ThrowingCallable change) {
    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(change)
        .extracting(e -> e.reason())
        .isEqualTo("WrongKeyLifecycleState");
  }

  @ParameterizedTest
  @EnumSource(
      value = State.class,
      names = {"ACTIVE", "DESTROYED", "DESTROYED_COMPROMISED"})
  void destructionIsRefused(State state) {
    ManagedObject key = SampleObjects.key("alice", Attributes.NONE);
    ManagedObject object =
        switch (state) {
          case ACTIVE -> key.in(ACTIVE);
          case DESTROYED -> key.destroyed();
          default -> key.in(COMPROMISED).destroyed();
        };
    assertThat(object.state()).isEqualTo(state);

    assertThatExceptionOfType(KmipException.class)
        .isThrownBy(object::destroyed)
        .extracting(e -> e.reason())
        .isEqualTo(state == ACTIVE ? "WrongKeyLifecycleState" : "ObjectDestroyed");
  }

  @Test
  void nothingSecretIsKeptInClear() {
    List<ObjectType> inClear = new ArrayList<>();
    ManagedObject key = SampleObjects.key("alice", Attributes.NONE);
    for (ObjectType each : ObjectType.values()) {
      try {
        Material plain = new Material.Plain(new byte[] {1});
        inClear.add(
            new ManagedObject(key.id(), "alice", each, PRE_ACTIVE, Attributes.NONE, plain).type());
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("clear");
      }
    }
    assertThat(inClear).containsExactly(ObjectType.CERTIFICATE, ObjectType.PUBLIC_KEY);
  }
}
