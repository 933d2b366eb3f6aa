package org.keywell.signing.hsm;

import java.util.ArrayList;
import java.util.List;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.pkcs11.WrappingKeyGenerations;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.RunningInstances;
import org.keywell.signing.database.VanishedInstances;
import org.keywell.signing.database.WrappingKeyRotations;
import org.keywell.signing.database.WrappingKeyRotations.Keys;
import org.keywell.signing.database.WrappingKeyUse;
import org.keywell.signing.database.WrappingKeyUses;

/** Which wrapping keys there are, where they are, and how many keys are under each. */
public record RotationStatus(
    WrappingKeyRotations rotations,
    WrappingKeyUses uses,
    VanishedInstances instances,
    RunningInstances running) {

  /** Returns what there is, one line each. */
  public List<String> lines(List<TokenAccess> tokens) {
    List<String> lines = new ArrayList<>();
    List<Rotation> all = rotations.all();
    for (Rotation rotation : all) {
      lines.add(
          "%s follows %s: %s"
              .formatted(rotation.newId(), rotation.oldId(), rotation.step().label()));
    }
    List<String> ids = new ArrayList<>();
    for (TokenAccess token : tokens) {
      try {
        List<String> found = token.login(WrappingKeyGenerations::find).ids();
        lines.add("HSM %s has %s".formatted(token.name(), String.join(" and ", found)));
        ids.addAll(found);
      } catch (HsmException e) {
        lines.add("HSM %s cannot be used: %s".formatted(token.name(), e.getMessage()));
      }
    }
    for (String id : ids.stream().distinct().toList()) {
      Keys keys = rotations.keys(id);
      lines.add("%s: %d keys stored, %d claimed".formatted(id, keys.stored(), keys.claimed()));
    }
    for (WrappingKeyUse use : RunningUses.of(uses.all(), instances::runs, running::count).uses()) {
      lines.add(
          "%s: %s %s".formatted(RunningUses.name(use), use.kind().label(), use.wrappingKeyId()));
    }
    return lines;
  }
}
