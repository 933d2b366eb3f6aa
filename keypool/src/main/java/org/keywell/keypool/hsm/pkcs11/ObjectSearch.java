package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongConsumer;

/** Finds objects by a template. Slow on some devices with many live objects. */
final class ObjectSearch {
  private static final int BATCH = 512;

  private ObjectSearch() {}

  /** Passes each match to {@code found}, which must not use the session. */
  static void forEach(Session session, Template template, LongConsumer found) {
    Functions functions = session.functions();
    session.began("C_FindObjectsInit", functions.findObjectsInit(session.handle(), template));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment objects = arena.allocate(JAVA_LONG, BATCH);
      MemorySegment count = arena.allocate(JAVA_LONG);
      do {
        ReturnValue.check(
            "C_FindObjects", functions.findObjects(session.handle(), objects, BATCH, count));
        for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
          found.accept(objects.getAtIndex(JAVA_LONG, i));
        }
      } while (count.get(JAVA_LONG, 0) > 0);
    } finally {
      // Not checked: after a failed search, the first failure counts.
      long _ = session.ended(functions.findObjectsFinal(session.handle()));
    }
  }
}
