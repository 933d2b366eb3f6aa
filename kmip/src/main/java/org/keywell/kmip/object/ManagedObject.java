package org.keywell.kmip.object;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.Value;

/**
 * An object that a client has created or registered. Immutable.
 *
 * @param owner the caller's name
 * @param attributes without Unique Identifier, Object Type and State, which {@link #described} adds
 * @param material null exactly if the object is destroyed; in clear only if its type is public
 */
public record ManagedObject(
    UUID id,
    String owner,
    ObjectType type,
    State state,
    Attributes attributes,
    @Nullable Material material) {

  private static final List<AttributeName> COMPUTED =
      List.of(Attributes.UNIQUE_IDENTIFIER, Attributes.OBJECT_TYPE, Attributes.STATE);

  public ManagedObject {
    if ((material == null) != state.isDestroyed()) {
      throw new IllegalArgumentException("an object has material until it is destroyed");
    }
    if (material instanceof Material.Plain && !type.isPublic()) {
      throw new IllegalArgumentException("not kept in clear: " + type);
    }
    if (attributes.all().stream().anyMatch(each -> COMPUTED.contains(each.name()))) {
      throw new IllegalArgumentException("among these are fields of their own: " + attributes);
    }
  }

  /** Returns all its attributes, with those that are no part of {@link #attributes}. */
  public Attributes described() {
    return described(id, type, state, attributes);
  }

  /** Returns the attributes of an object with those that its other fields say. */
  public static Attributes described(UUID id, ObjectType type, State state, Attributes attributes) {
    List<AttributeValue> all = new ArrayList<>();
    all.add(new AttributeValue(Attributes.UNIQUE_IDENTIFIER, null, new Value.Text(id.toString())));
    all.add(new AttributeValue(Attributes.OBJECT_TYPE, null, type.attribute()));
    all.add(new AttributeValue(Attributes.STATE, null, state.attribute()));
    all.addAll(attributes.all());
    return new Attributes(all);
  }

  /** Returns the object with other attributes. */
  public ManagedObject with(Attributes changed) {
    return new ManagedObject(id, owner, type, state, changed, material);
  }

  /** Returns the object with an attribute that has this one value, and may have one only. */
  public ManagedObject with(String name, Value value) {
    return with(attributes.set(name, value));
  }

  /** Returns the object with a date that is now. */
  public ManagedObject stamped(String name, Instant now) {
    return with(name, new Value.DateTime(now.getEpochSecond()));
  }

  /**
   * Returns the object in another state, with its material.
   *
   * @throws KmipException if that state cannot follow the present one
   */
  public ManagedObject in(State next) {
    return new ManagedObject(id, owner, type, state.become(next), attributes, material);
  }

  /**
   * Returns the object in the state that its dates give it now, which they do when they are reached
   * (KMIP, section "State").
   */
  public ManagedObject at(Instant now) {
    ManagedObject active =
        state == State.PRE_ACTIVE && isReached("Activation Date", now) ? in(State.ACTIVE) : this;
    return active.state == State.ACTIVE && isReached("Deactivation Date", now)
        ? active.in(State.DEACTIVATED)
        : active;
  }

  /** Tells whether a date is set and not after now. */
  public boolean isReached(String date, Instant now) {
    return attributes.isReached(Attributes.named(date), now);
  }

  /**
   * Returns the object without its material, in the state that follows.
   *
   * @throws KmipException if it must not be destroyed in its state
   */
  public ManagedObject destroyed() {
    return new ManagedObject(id, owner, type, state.afterDestruction(), attributes, null);
  }
}
