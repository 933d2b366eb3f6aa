package org.keywell.kmip.object;

import java.util.EnumSet;
import java.util.Set;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.ttlv.Value;

/** The states of an object, with the transitions that the specification has between them. */
public enum State {
  PRE_ACTIVE("PreActive"),
  ACTIVE("Active"),
  DEACTIVATED("Deactivated"),
  COMPROMISED("Compromised"),
  DESTROYED("Destroyed"),
  DESTROYED_COMPROMISED("DestroyedCompromised");

  private final String label;
  private final int value;

  State(String label) {
    this.label = label;
    this.value = Enumerations.named("State", label).bits();
  }

  /**
   * Returns the state with the given {@link #value}.
   *
   * @throws KmipException if there is none
   */
  public static State valued(int value) {
    for (State each : values()) {
      if (each.value == value) {
        return each;
      }
    }
    throw new KmipException("InvalidAttributeValue", "there is no such state");
  }

  /** Returns KMIP's number. */
  public int value() {
    return value;
  }

  /** Returns the name in the enumeration {@code State}, like {@code PreActive}. */
  public String label() {
    return label;
  }

  /** Returns the value of the attribute State. */
  public Value.Enumerated attribute() {
    return new Value.Enumerated(value);
  }

  /** Returns the states that can follow immediately. */
  public Set<State> next() {
    return switch (this) {
      case PRE_ACTIVE -> EnumSet.of(ACTIVE, COMPROMISED, DESTROYED);
      case ACTIVE -> EnumSet.of(DEACTIVATED, COMPROMISED);
      case DEACTIVATED -> EnumSet.of(COMPROMISED, DESTROYED);
      case COMPROMISED, DESTROYED -> EnumSet.of(DESTROYED_COMPROMISED);
      case DESTROYED_COMPROMISED -> EnumSet.noneOf(State.class);
    };
  }

  /** Tells whether the material is gone. */
  public boolean isDestroyed() {
    return this == DESTROYED || this == DESTROYED_COMPROMISED;
  }

  /**
   * Returns the state after the material is destroyed.
   *
   * @throws KmipException if it must not be destroyed in this state, or already is
   */
  State afterDestruction() {
    if (isDestroyed()) {
      throw new KmipException("ObjectDestroyed", "the object is destroyed");
    }
    return become(this == COMPROMISED ? DESTROYED_COMPROMISED : DESTROYED);
  }

  /**
   * Returns the given state.
   *
   * @throws KmipException if it cannot follow this one
   */
  State become(State then) {
    if (!next().contains(then)) {
      throw new KmipException(
          "WrongKeyLifecycleState",
          "an object in the state %s does not become %s".formatted(label, then.label));
    }
    return then;
  }
}
