package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;

@Tag("softhsm")
final class TokenBootstrapTest {
  private static final long CKR_GENERAL_ERROR = 0x5;

  private final SoftHsmToken token = SoftHsmToken.notYetCreated();

  @Test
  void eachStepIsDoneOnce() {
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = token.pin()) {
      TokenBootstrap.Result firstToken = TokenBootstrap.ensureToken(token.config(), soPin, pin);
      TokenBootstrap.Result againToken = TokenBootstrap.ensureToken(token.config(), soPin, pin);
      TokenBootstrap.Result firstKey = TokenBootstrap.ensureWrappingKey(token.config(), pin);
      TokenBootstrap.Result againKey = TokenBootstrap.ensureWrappingKey(token.config(), pin);

      assertThat(firstToken.created()).isTrue();
      assertThat(againToken.created()).isFalse();
      assertThat(againToken.description()).isEqualTo(firstToken.description());
      assertThat(firstKey.created()).isTrue();
      assertThat(againKey.created()).isFalse();
      assertThat(againKey.description()).isEqualTo(firstKey.description());
      try (Pkcs11Hsm hsm = token.open()) {
        assertThat(firstKey.description()).contains(hsm.wrappingKeyId());
        assertThat(firstToken.description()).contains(Long.toString(hsm.slotId()));
      }
    }
  }

  @Test
  void goesOnAfterATokenThatGotNoUserPin() {
    Pkcs11Config config = token.config();
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin pin = token.pin();
        Arena arena = Arena.ofConfined()) {
      Functions functions = CryptokiLibrary.load(config.module(), Optional.empty()).functions();
      long free =
          new Slots(functions)
              .tokens().stream().filter(t -> !t.initialized()).findFirst().orElseThrow().slotId();
      MemorySegment label = PaddedText.allocate(arena, config.tokenLabel(), TokenInfo.LABEL_BYTES);
      ReturnValue.check(
          "C_InitToken",
          soPin.handTo((bytes, length) -> functions.initToken(free, bytes, length, label)));

      assertThat(TokenBootstrap.ensureToken(config, soPin, pin).created()).isTrue();
      assertThat(TokenBootstrap.ensureWrappingKey(config, pin).created()).isTrue();
    }
    token.open().close();
  }

  /** As while another process logs in to it. */
  @Test
  void aTokenThatIsNotSeenForAMomentIsNotMadeAgain() throws IOException {
    Set<Path> before = tokenDirectories();
    SoftHsmToken made = SoftHsmToken.createWithoutWrappingKey();
    Set<Path> added = tokenDirectories();
    added.removeAll(before);
    Path file = added.iterator().next().resolve("token.object");
    Path aside = file.resolveSibling("aside");
    CryptokiLibrary module =
        CryptokiLibrary.of(
            CryptokiLibrary.load(made.config().module(), Optional.empty()).functions());
    Files.move(file, aside);
    assertThat(module.readTokensAgain()).isTrue();
    assertThat(new Slots(module.functions()).find(made.config().tokenLabel())).isEmpty();

    AtomicInteger pauses = new AtomicInteger();
    Runnable comesBack =
        () -> {
          if (pauses.incrementAndGet() == 3) {
            try {
              Files.move(aside, file);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        };
    assertThat(TokenBootstrap.find(module, made.config().tokenLabel(), comesBack)).isPresent();
    assertThat(pauses).hasValue(3);
  }

  private static Set<Path> tokenDirectories() throws IOException {
    try (Stream<Path> directories = Files.list(SoftHsm2.tokens())) {
      return directories.collect(Collectors.toCollection(HashSet::new));
    }
  }

  @Test
  void theModuleIsNotRestartedUnderThoseWhoUseIt() {
    CryptokiLibrary module =
        CryptokiLibrary.of(
            CryptokiLibrary.load(token.config().module(), Optional.empty()).functions());
    module.tokenIsMade();

    assertThat(module.readTokensAgain()).isFalse();
  }

  /** A start tries for as long as the token is away, and looks for it before it makes one. */
  @Test
  void anOpeningThatFailsDoesNotCountAsUse() {
    CryptokiLibrary module =
        CryptokiLibrary.of(
            CryptokiLibrary.load(token.config().module(), Optional.empty()).functions());
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() ->
            new Pkcs11Hsm(
                module, token.config(), token::pin, CallLimits.DEFAULT, CallListener.NONE));

    assertThat(module.readTokensAgain()).isTrue();
  }

  /** SoftHSM keeps what it has read of a token that another process was writing. */
  @Test
  void tokensAreReadAgainAfterALookThatFailed(@TempDir Path directory) {
    try (FaultyModule faulty = FaultyModule.create(directory)) {
      CryptokiLibrary module = CryptokiLibrary.load(faulty.path(), Optional.empty());
      faulty.inject("C_GetTokenInfo", Fault.returning(CKR_GENERAL_ERROR));
      long before = faulty.calls("C_Finalize");

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> TokenBootstrap.find(module, "any", () -> {}));

      assertThat(faulty.calls("C_Finalize")).isEqualTo(before + 1);
    }
  }

  @Test
  void aWrappingKeyNeedsItsToken() {
    try (Pin pin = token.pin()) {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> TokenBootstrap.ensureWrappingKey(token.config(), pin))
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NOT_BOOTSTRAPPED));
    }
  }
}
