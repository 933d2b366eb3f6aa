package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/** The slots of a module that contain a token. */
final class Slots {
  private static final int MAX_SLOTS = 4096;

  private final Functions functions;

  Slots(Functions functions) {
    this.functions = functions;
  }

  /**
   * Returns every token that the module shows.
   *
   * @throws HsmException with {@link Reason#UNAVAILABLE} if there is none, such as while a network
   *     device is unreachable; its code is {@code CKR_TOKEN_NOT_PRESENT}
   */
  List<TokenInfo> tokens() {
    List<TokenInfo> tokens = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_LONG);
      // A query without a list first makes SoftHSM look for tokens that were added or initialised.
      ReturnValue.check("C_GetSlotList", functions.getSlotList(true, MemorySegment.NULL, count));
      MemorySegment slots = arena.allocate(JAVA_LONG, MAX_SLOTS);
      count.set(JAVA_LONG, 0, MAX_SLOTS);
      ReturnValue.check("C_GetSlotList", functions.getSlotList(true, slots, count));
      for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
        tokens.add(TokenInfo.read(functions, slots.getAtIndex(JAVA_LONG, i)));
      }
    }
    if (tokens.isEmpty()) {
      throw new HsmException(
          Reason.UNAVAILABLE,
          ReturnValue.CKR_TOKEN_NOT_PRESENT.code(),
          "the module shows no slot with a token in it");
    }
    return tokens;
  }

  /**
   * Returns the token with the given label.
   *
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if there are several
   */
  Optional<TokenInfo> find(String label) {
    List<TokenInfo> found = tokens().stream().filter(token -> token.label().equals(label)).toList();
    if (found.size() > 1) {
      throw new HsmException(
          Reason.NOT_BOOTSTRAPPED,
          found.size() + " tokens have the label '" + label + "'; it has to be unique");
    }
    return found.stream().findFirst();
  }

  /**
   * Returns the token with the given label.
   *
   * @throws HsmException with {@link Reason#NOT_BOOTSTRAPPED} if there is none; the message lists
   *     the existing labels
   */
  TokenInfo require(String label) {
    return find(label).orElseThrow(() -> missing(label));
  }

  private HsmException missing(String label) {
    String found =
        tokens().stream()
            .filter(TokenInfo::initialized)
            .map(token -> "'" + token.label() + "'")
            .collect(Collectors.joining(", "));
    return new HsmException(
        Reason.NOT_BOOTSTRAPPED,
        "no token has the label '"
            + label
            + "'; "
            + (found.isEmpty() ? "the module has no initialised token" : "found: " + found));
  }
}
