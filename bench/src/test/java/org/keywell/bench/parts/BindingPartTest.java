package org.keywell.bench.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.bench.raw.UsersToken;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.testkit.SoftHsm2;

@Tag("softhsm")
@Timeout(120)
final class BindingPartTest {

  @TempDir private Path folder = Path.of("");

  @Test
  void eachRoundComparesBothOnOneThreadAndOnTwo() throws Exception {
    BindingPart part =
        new BindingPart(
            UsersToken.create(folder), SoftHsm2.environment(), folder.resolve("work"), 40, 40);

    PartResult result = part.measure(2);

    assertThat(result.ratios())
        .extracting(Ratio::label)
        .containsExactly(
            "binding / C, RSA-2048, 1 thread",
            "binding / C, RSA-2048, 2 threads",
            "binding / C, EC-P256, 2 threads");
    assertThat(result.ratios())
        .allSatisfy(ratio -> assertThat(ratio.rounds()).hasSize(2).allMatch(r -> r > 0));
    assertThat(result.ratios().getFirst().goal().target()).isEqualTo(0.95);
    assertThat(result.readings())
        .hasSize(6)
        .allSatisfy(reading -> assertThat(reading.value()).isPositive())
        .extracting(Reading::unit)
        .containsOnly("keys/s");
  }
}
