package org.keywell.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.keywell.loadgen.text.Resource;

/** The table of frames: what it says of the service's own, and what it cannot say. */
final class FrameTableTest {
  private static final Pattern OWN = Pattern.compile("^\\w+ +(org\\.keywell\\.[\\w.]+)$");

  static Stream<Arguments> frames() {
    return Stream.of(
        arguments("C_SignInit", Area.HSM),
        arguments("/usr/lib/softhsm/libsofthsm2.so", Area.HSM),
        arguments("org.keywell.keypool.hsm.pkcs11.Downcall.call", Area.BINDING),
        arguments("org.keywell.keypool.KeyLease.sign", Area.QUEUE),
        arguments("org.keywell.keypool.KeyLoader.load", Area.LOADER),
        arguments("org.keywell.keypool.store.Claims.claim", Area.DATABASE),
        arguments("org.keywell.ca.issuance.PossessionCheck.rsaHolds", Area.CHECK),
        arguments("org.keywell.ca.issuance.SignerPool.sign", Area.CERTIFICATE),
        arguments("org.keywell.signing.sign.SigningCycle.run", Area.QUEUE),
        arguments("org.keywell.signing.sign.SignRequestQueue.poll", Area.QUEUE),
        arguments("org.keywell.json.SignRequestParser.parse", Area.JSON),
        arguments("org.keywell.signing.record.RecordWriter.loop", Area.DATABASE),
        arguments("org.keywell.signing.record.RecordAnswers.committed", Area.ANSWER),
        arguments("org.apache.coyote.http11.Http11Processor.service", Area.HTTP),
        arguments("[keywell-records tid=12]", Area.DATABASE),
        arguments("[keywell-generator-1 tid=12]", Area.BACKGROUND),
        arguments("[C2 CompilerThre tid=12]", Area.JIT),
        arguments("[GC Thread#0 tid=12]", Area.GC));
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameBelongsToTheRowWithItsLongestBeginning(String frame, Area area) {
    assertThat(FrameTable.ofService().areaOf(frame)).contains(area);
  }

  @Test
  void whatServesEverybodyBelongsToNobody() {
    FrameTable table = FrameTable.ofService();
    assertThat(
            Stream.of("java.util.HashMap.get", "__GI_write", "[unknown]", "org.bouncycastle.X.y"))
        .allSatisfy(frame -> assertThat(table.areaOf(frame)).isEmpty());
  }

  @Test
  void everyAreaHasRows() {
    List<String> rows = Resource.text("/org/keywell/bench/profile/areas.txt").lines().toList();
    EnumSet<Area> without = EnumSet.complementOf(EnumSet.of(Area.OTHER));
    without.removeIf(area ->
        rows.stream().anyMatch(row -> row.startsWith(area.name().toLowerCase(Locale.ROOT) + " ")));
    assertThat(without).isEmpty();
  }

  /** A row whose class was renamed would silently count for its caller. */
  @Test
  void itsRowsOfOurOwnAreThere() {
    List<String> gone =
        Resource.text("/org/keywell/bench/profile/areas.txt")
            .lines()
            .map(OWN::matcher)
            .filter(matcher -> matcher.matches())
            .map(matcher -> matcher.group(1))
            .filter(name -> !isThere(name))
            .toList();
    assertThat(gone).isEmpty();
  }

  private static boolean isThere(String beginning) {
    int last = beginning.lastIndexOf('.');
    String folder = beginning.substring(0, last).replace('.', '/');
    String begins = beginning.substring(last + 1);
    return Stream.of("keypool", "ca", "identity", "signing", "json", "rest", "operations")
        .map(module -> Path.of("..", module, "src/main/java", folder))
        .filter(Files::isDirectory)
        .anyMatch(
            path -> Arrays.stream(path.toFile().list()).anyMatch(name -> name.startsWith(begins)));
  }

  @Test
  void aLineThatSaysNothingIsRefused() {
    assertThatIllegalStateException().isThrownBy(() -> FrameTable.of("http"));
  }

  @Test
  void twoRowsForOneBeginningAreRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> FrameTable.of("http org.a.\njson org.a."))
        .withMessageContaining("json org.a.");
  }
}
