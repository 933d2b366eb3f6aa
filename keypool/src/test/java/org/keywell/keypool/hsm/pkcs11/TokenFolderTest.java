package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.WatchedDevice;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.testkit.FaultyModule;

/** The files of a SoftHSM token are away for a while: only C_Finalize makes it look for them. */
@Tag("softhsm")
@Timeout(60)
final class TokenFolderTest {

  private static final Duration LOOK = Duration.ofSeconds(31);

  private final Path tokens;
  private final Path away;
  private final FaultyModule module;
  private final Pkcs11Hsm hsm;
  private final Path files;
  private final WrappedKey wrapped;
  private final WatchedDevice watch;
  private long now = System.nanoTime();

  TokenFolderTest(@TempDir Path directory) throws IOException {
    tokens = directory.resolve("tokens");
    away = directory.resolve("away");
    module = FaultyModule.create(directory);
    hsm = SoftHsmToken.create(module.path()).open();
    files = all(tokens).getFirst();
    wrapped = wrapNew(hsm);
    watch = new WatchedDevice(hsm, 1);
  }

  @AfterEach
  void close() {
    hsm.close();
    module.close();
  }

  private static List<Path> all(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static WrappedKey wrapNew(Pkcs11Hsm hsm) {
    LiveKeyPair pair = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(pair);
    assertThat(hsm.destroy(pair.privateKey())).isEqualTo(Destruction.DONE);
    return wrapped;
  }

  private static byte[] sign(Pkcs11Hsm hsm, KeyHandle key) {
    return hsm.sign(key, SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, new byte[32]);
  }

  /** What the watch does until then, with the longest pauses. */
  private void lookUntil(BooleanSupplier end) {
    for (int looks = 0; !end.getAsBoolean(); looks++) {
      assertThat(looks).as("%s", hsm.health()).isLessThan(50);
      look();
    }
  }

  private void look() {
    now += LOOK.toNanos();
    try {
      watch.look(now);
    } catch (HsmException e) {
      assertThat(hsm.health().state()).isNotEqualTo(HsmHealth.State.UP);
    }
  }

  private boolean isUp() {
    return hsm.health().state() == HsmHealth.State.UP;
  }

  @Test
  void aTokenThatWasAwayIsFoundAgain() throws IOException {
    Files.move(tokens, away);
    lookUntil(() -> !hsm.health().loggedIn());
    look();
    assertThat(isUp()).isFalse();
    Files.move(away, tokens);

    lookUntil(this::isUp);

    KeyHandle key = hsm.unwrap(wrapped);
    assertThat(sign(hsm, key)).isNotEmpty();
    assertThat(hsm.destroy(key)).isEqualTo(Destruction.DONE);
  }

  @Test
  void anotherTokenOfTheModuleKeepsItsKeysMeanwhile() throws IOException {
    try (Pkcs11Hsm other = SoftHsmToken.create(module.path()).open()) {
      KeyHandle key = other.unwrap(wrapNew(other));
      long finalized = module.calls("C_Finalize");
      Files.move(files, away);
      lookUntil(() -> !hsm.health().loggedIn());
      for (int i = 0; i < 5; i++) {
        look();
      }
      assertThat(module.calls("C_Finalize")).isEqualTo(finalized);
      assertThat(sign(other, key)).isNotEmpty();
      Files.move(away, files);
    }

    lookUntil(this::isUp);
    assertThat(hsm.destroy(hsm.unwrap(wrapped))).isEqualTo(Destruction.DONE);
  }
}
