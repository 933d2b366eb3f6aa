package org.keywell.signing.hsm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.keywell.signing.database.WrappingKeyUse;

/**
 * What the instances that run do with wrapping keys.
 *
 * @param silent how many processes run and do not report it, such as those of an earlier version
 */
record RunningUses(List<WrappingKeyUse> uses, int silent) {

  /**
   * @param reported by instances that run or have ended
   * @param runs whether a process runs under an instance's name
   * @param running returns how many do
   */
  static RunningUses of(
      List<WrappingKeyUse> reported, Predicate<String> runs, IntSupplier running) {
    Map<String, Boolean> known =
        reported.stream()
            .map(WrappingKeyUse::instance)
            .distinct()
            .collect(Collectors.toMap(name -> name, runs::test));
    long reporting = known.values().stream().filter(each -> each).count();
    return new RunningUses(
        reported.stream().filter(use -> known.getOrDefault(use.instance(), false)).toList(),
        (int) Math.max(0, running.getAsInt() - reporting));
  }

  /** Returns what is missing as long as some are silent. */
  Optional<String> silence() {
    return silent == 0
        ? Optional.empty()
        : Optional.of(
            "the reports of all running processes, %d missing: a fill or an earlier version sends none"
                .formatted(silent));
  }

  /** Returns the instances and devices of uses, for operators. */
  static String names(List<WrappingKeyUse> uses) {
    return uses.stream().map(RunningUses::name).distinct().collect(Collectors.joining(" and "));
  }

  static String name(WrappingKeyUse use) {
    return "%s (HSM %s)".formatted(use.instance(), use.device());
  }

  /** Returns those of one key. */
  List<WrappingKeyUse> of(String wrappingKeyId) {
    return uses.stream().filter(use -> use.wrappingKeyId().equals(wrappingKeyId)).toList();
  }

  /** Returns the uses of the one key at devices that do not have the other. */
  List<WrappingKeyUse> lacking(String has, String lacks) {
    return of(has).stream()
        .filter(use ->
            of(lacks).stream()
                .noneMatch(other ->
                    other.instance().equals(use.instance()) && other.token().equals(use.token())))
        .toList();
  }
}
