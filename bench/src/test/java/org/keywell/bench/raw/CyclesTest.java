package org.keywell.bench.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.SoftHsm2;

@Tag("softhsm")
@Timeout(120)
final class CyclesTest {

  /** No machine signs faster, and none that runs tests is as slow. */
  private static final double MOST = 1_000_000;

  @TempDir private Path folder = Path.of("");

  private CycleToken token;

  @BeforeEach
  void openToken() {
    token = CycleToken.open(UsersToken.create(folder), SoftHsm2.environment());
  }

  @AfterEach
  void noKeyIsLeft() {
    assertThat(token.hsm().countLiveKeys()).isZero();
    token.close();
  }

  @ParameterizedTest
  @CsvSource({
    "SIGN_DESTROY, RSA_2048, 1",
    "SIGN_DESTROY, EC_P256, 2",
    "UNWRAP_SIGN_DESTROY, RSA_2048, 2",
    "UNWRAP_SIGN_DESTROY, EC_P256, 1"
  })
  void bothUseKeys(Kind kind, KeySpec spec, int threads) throws Exception {
    RawCycle raw = RawCycle.compiled(token, spec, folder.resolve("work"));

    assertThat(raw.perSecond(kind, threads, 60)).isBetween(1.0, MOST);
    assertThat(new BindingCycle(token, spec).perSecond(kind, threads, 60)).isBetween(1.0, MOST);
  }

  @Test
  void whatTheProgramSaysOfAFailureIsTold() throws Exception {
    RawCycle raw = RawCycle.compiled(token, KeySpec.EC_P256, folder.resolve("work"));
    Files.writeString(folder.resolve("pin"), "wrong\n");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> {
          double _ = raw.perSecond(Kind.SIGN_DESTROY, 1, 10);
        })
        .withMessage("the C program failed: C_Login returned 0xa0");
  }

  @Test
  void thePinIsInNoArgument() throws Exception {
    Path work = Files.createDirectory(folder.resolve("work"));
    RawCycle raw = RawCycle.compiled(token, KeySpec.EC_P256, work);
    Path program = work.resolve("cycle");
    Path seen = work.resolve("seen");
    Files.delete(program);
    Files.writeString(program, "#!/bin/sh\nprintf '%s ' \"$@\" >" + seen + "\nenv >>" + seen);
    assertThat(program.toFile().setExecutable(true)).isTrue();

    assertThrows(Exception.class, () -> raw.perSecond(Kind.SIGN_DESTROY, 1, 10));

    assertThat(Files.readString(seen))
        .contains("sign-destroy 1 10")
        .doesNotContain(Files.readString(folder.resolve("pin")).strip());
  }
}
