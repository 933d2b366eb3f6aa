package org.keywell.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which area a stack belongs to. */
final class SharesTest {
  private static final FrameTable TABLE =
      FrameTable.of(
          """
          http [web
          http org.web.
          json org.json.
          certificate org.ca.
          binding org.binding.
          hsm C_
          """);

  private static Shares of(String... stacks) {
    return Shares.of(List.of(stacks), TABLE);
  }

  @Test
  void theInnermostFrameWithARowDecides() {
    assertThat(
            of(
                    "[web tid=1];org.web.Server.run;org.json.Parser.parse;java.util.Map.put 3",
                    "[web tid=1];org.web.Server.run;write 2")
                .weights())
        .containsExactlyInAnyOrderEntriesOf(Map.of(Area.JSON, 3L, Area.HTTP, 2L));
  }

  @Test
  void whatNoRowClaimsIsTold() {
    assertThat(of("[main tid=1];java.lang.Thread.run 5", "[web tid=2];read 15").share(Area.OTHER))
        .isEqualTo(0.25);
  }

  @Test
  void theHsmWorksForWhoCallsTheBinding() {
    Shares shares =
        of(
            "[web tid=1];org.ca.Issuer.sign;org.binding.Call.to;C_Sign;[unknown] 30",
            "[web tid=1];org.binding.Call.to;C_Sign 60",
            "[web tid=1];org.binding.Call.to 10");
    assertThat(shares.share(Area.HSM)).isEqualTo(0.9);
    assertThat(shares.hsmShareFor(Area.CERTIFICATE)).isEqualTo(0.3);
    assertThat(shares.hsmShareFor(Area.HTTP)).isEqualTo(0.6);
    assertThat(shares.share(Area.BINDING)).isEqualTo(0.1);
  }

  @Test
  void profilesAddUp() {
    Shares both = of("[web tid=1];read 1").plus(of("[web tid=1];read 2", "[web tid=1];C_Sign 1"));
    assertThat(both.weights()).isEqualTo(Map.of(Area.HTTP, 3L, Area.HSM, 1L));
    assertThat(both.hsmFor()).isEqualTo(Map.of(Area.HTTP, 1L));
    assertThat(both.total()).isEqualTo(4);
  }

  @Test
  void nothingHasNoShares() {
    assertThat(of().share(Area.HTTP)).isZero();
  }

  @Test
  void aThreadsNameMayHaveSpaces() {
    assertThat(of("[web 1 of 2 tid=1];read 7").weights()).isEqualTo(Map.of(Area.HTTP, 7L));
  }

  @Test
  void aLineWithoutAWeightIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> of("[web;read"));
  }
}
