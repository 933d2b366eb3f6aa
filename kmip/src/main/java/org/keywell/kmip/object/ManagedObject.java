package org.keywell.kmip.object;

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

  public ManagedObject {
    if ((material == null) != state.isDestroyed()) {
      throw new IllegalArgumentException("an object has material until it is destroyed");
    }
    if (material instanceof Material.Plain && !type.isPublic()) {
      throw new IllegalArgumentException("not kept in clear: " + type);
    }
    attributes.withoutComputed();
  }

  /** Returns all its attributes, with those that are no part of {@link #attributes}. */
  public Attributes described() {
    return described(id, type, state, attributes);
  }

  /** Returns the attributes of an object with those that its other fields say. */
  public static Attributes described(UUID id, ObjectType type, State state, Attributes attributes) {
    return attributes.preceded(
        Attributes.NONE
            .add(Attributes.UNIQUE_IDENTIFIER, new Value.Text(id.toString()))
            .add(Attributes.OBJECT_TYPE, type.attribute())
            .add(Attributes.STATE, state.attribute()));
  }

  /** Returns the object with other attributes. */
  public ManagedObject with(Attributes changed) {
    return new ManagedObject(id, owner, type, state, changed, material);
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
   * Returns the object without its material, in the state that follows.
   *
   * @throws KmipException if it must not be destroyed in its state
   */
  public ManagedObject destroyed() {
    return new ManagedObject(id, owner, type, state.afterDestruction(), attributes, null);
  }
}
