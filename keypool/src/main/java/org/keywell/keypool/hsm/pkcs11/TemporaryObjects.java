package org.keywell.keypool.hsm.pkcs11;

import java.util.ArrayDeque;
import java.util.Deque;

/** Session objects that must not outlive their purpose. */
final class TemporaryObjects implements AutoCloseable {
  private final Session session;
  private final Deque<Long> handles = new ArrayDeque<>();

  TemporaryObjects(Session session) {
    this.session = session;
  }

  /** Takes ownership of an object; returns its handle. */
  long add(long handle) {
    handles.push(handle);
    return handle;
  }

  /**
   * Destroys all objects.
   *
   * @throws org.keywell.keypool.hsm.HsmException if one was not destroyed; the others are
   */
  @Override
  public void close() {
    long failure = 0;
    for (long handle : handles) {
      long returned = session.functions().destroyObject(session.handle(), handle);
      failure = failure == 0 ? returned : failure;
    }
    ReturnValue.check("C_DestroyObject", failure);
  }
}
