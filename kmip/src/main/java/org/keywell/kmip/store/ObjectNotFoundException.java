package org.keywell.kmip.store;

/** Thrown if there is no such object, or none of this owner's: nothing tells the two apart. */
public final class ObjectNotFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ObjectNotFoundException() {
    super("there is no such object");
  }
}
