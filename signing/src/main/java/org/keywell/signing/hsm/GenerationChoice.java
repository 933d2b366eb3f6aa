package org.keywell.signing.hsm;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyChoice;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.Rotation.Step;

/**
 * Which of a token's wrapping keys a device uses, as the rotations in the database say.
 *
 * @param looksAgain whether another look into the token should find one more, or one less
 * @param replaced if the token has only keys that must not be used any more, the rotation whose new
 *     key it lacks
 */
public record GenerationChoice(
    WrappingKeyChoice use, boolean looksAgain, Optional<Rotation> replaced) {

  /**
   * Chooses. The oldest key wraps until the database says that a later one does: one that the
   * database does not know may be on its way to other tokens.
   *
   * @param found ids of the token's wrapping keys of one label, oldest first
   */
  static GenerationChoice of(List<String> found, List<Rotation> rotations) {
    List<Rotation> own =
        rotations.stream().filter(rotation -> found.contains(rotation.oldId())).toList();
    Set<String> withdrawn =
        own.stream()
            .filter(rotation -> rotation.is(Step.WITHDRAWN))
            .map(Rotation::oldId)
            .collect(Collectors.toSet());
    List<String> usable = found.stream().filter(id -> !withdrawn.contains(id)).toList();
    Optional<String> wraps = usable.stream().findFirst();
    // A later rotation is later in the list.
    for (Rotation rotation : own) {
      if (rotation.is(Step.SWITCHED)
          && wraps.filter(rotation.oldId()::equals).isPresent()
          && usable.contains(rotation.newId())) {
        wraps = Optional.of(rotation.newId());
      }
    }
    boolean looksAgain =
        own.stream()
            .anyMatch(rotation ->
                rotation.is(Step.WITHDRAWN)
                    || (rotation.is(Step.OFFERED) && !found.contains(rotation.newId())));
    return new GenerationChoice(
        new WrappingKeyChoice(wraps, withdrawn),
        looksAgain,
        usable.isEmpty() ? Optional.of(own.getLast()) : Optional.empty());
  }
}
