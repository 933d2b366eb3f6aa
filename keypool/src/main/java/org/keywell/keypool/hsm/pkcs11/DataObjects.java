package org.keywell.keypool.hsm.pkcs11;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.TokenData;

/** The data objects of this program in a token. They are private: reading them takes the PIN. */
final class DataObjects {

  private static final byte[] APPLICATION = "Keywell".getBytes(StandardCharsets.UTF_8);

  /** Objects are replaced a few times a second at the most. */
  private static final int MAX_SEARCHES = 10;

  private record Found(long object, TokenData data) {}

  private DataObjects() {}

  static List<TokenData> read(Session session, String prefix) {
    return find(session).stream()
        .map(Found::data)
        .filter(data -> data.name().startsWith(prefix))
        .toList();
  }

  /**
   * Creates the object, then destroys all others of its name.
   *
   * @param session for reading and writing
   */
  static void keep(Session session, TokenData data) {
    List<Found> before = named(session, data.name());
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_DATA)
              .yes(Cka.CKA_TOKEN, Cka.CKA_PRIVATE)
              .with(Cka.CKA_APPLICATION, APPLICATION)
              .with(Cka.CKA_LABEL, data.name().getBytes(StandardCharsets.UTF_8))
              .with(Cka.CKA_VALUE, data.value())
              .build();
      ReturnValue.check(
          "C_CreateObject",
          session.functions().createObject(session.handle(), template, session.newObject()));
    }
    destroy(session, before);
  }

  /**
   * Destroys all objects of a name.
   *
   * @param session for reading and writing
   */
  static void remove(Session session, String name) {
    destroy(session, named(session, name));
  }

  private static void destroy(Session session, List<Found> objects) {
    for (Found each : objects) {
      long returned = session.functions().destroyObject(session.handle(), each.object());
      // Another process may have been faster.
      if (!ReturnValue.CKR_OBJECT_HANDLE_INVALID.is(returned)) {
        ReturnValue.check("C_DestroyObject", returned);
      }
    }
  }

  private static List<Found> named(Session session, String name) {
    return find(session).stream().filter(each -> each.data().name().equals(name)).toList();
  }

  /** Another process replaces an object by creating the new one first: then a new search has it. */
  private static List<Found> find(Session session) {
    for (int search = 1; ; search++) {
      try {
        return findNow(session);
      } catch (HsmException e) {
        if (search == MAX_SEARCHES || !ReturnValue.CKR_OBJECT_HANDLE_INVALID.is(e.returnValue())) {
          throw e;
        }
      }
    }
  }

  private static List<Found> findNow(Session session) {
    List<Long> objects = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      Template template =
          Template.in(arena)
              .with(Cka.CKA_CLASS, Ck.CKO_DATA)
              .yes(Cka.CKA_TOKEN)
              .with(Cka.CKA_APPLICATION, APPLICATION)
              .build();
      ObjectSearch.forEach(session, template, objects::add);
    }
    List<Found> found = new ArrayList<>();
    for (long object : objects) {
      ObjectAttributes attributes = new ObjectAttributes(session, object);
      Optional<byte[]> name = attributes.read(Cka.CKA_LABEL);
      Optional<byte[]> value = attributes.read(Cka.CKA_VALUE);
      if (name.isPresent() && value.isPresent()) {
        String text = new String(name.get(), StandardCharsets.UTF_8);
        found.add(new Found(object, new TokenData(text, value.get())));
      }
    }
    return found;
  }
}
