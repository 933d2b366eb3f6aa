package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PinTest {
  @TempDir Path directory;

  private Path file(String content, String mode) throws IOException {
    Path file = Files.writeString(directory.resolve("pin"), content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  private static String content(Pin pin) {
    AtomicReference<String> seen = new AtomicReference<>("");
    pin.handTo((bytes, length) -> {
      seen.set(new String(bytes.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8));
      return 0;
    });
    return seen.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5678", "5678\n", "5678\r\n", "5678\n\n"})
  void aFilesLineEndIsNotPartOfThePin(String content) throws IOException {
    try (Pin pin = Pin.ofFile(file(content, "rw-------"))) {
      assertThat(content(pin)).isEqualTo("5678");
    }
  }

  @Test
  void blanksArePartOfThePin() throws IOException {
    try (Pin pin = Pin.ofFile(file(" 56 78 \n", "r--------"))) {
      assertThat(content(pin)).isEqualTo(" 56 78 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw----r--"})
  void aFileThatOthersCanReadIsRefusedByName(String mode) throws IOException {
    // No digits alone: the directory's own name is made of some.
    Path file = file("open sesame", mode);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pin.ofFile(file))
        .withMessageContaining(file.toString())
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("sesame"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n"})
  void anEmptyFileIsRefusedByName(String content) throws IOException {
    Path file = file(content, "rw-------");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pin.ofFile(file))
        .withMessageContaining(file.toString())
        .withMessageContaining("empty");
  }

  @Test
  void aMissingOrEndlessFileIsRefusedByName() throws IOException {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Pin.ofFile(directory.resolve("missing")))
        .withMessageContaining("missing");
    Path endless = file("5".repeat(10_000), "rw-------");
    assertThatIllegalArgumentException().isThrownBy(() -> Pin.ofFile(endless));
  }

  @Test
  void charactersAreEncodedAsUtf8() {
    try (Pin pin = Pin.of("päss".toCharArray())) {
      assertThat(content(pin)).isEqualTo("päss");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> Pin.of(new char[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> Pin.of("5".repeat(256).toCharArray()));
  }

  @Test
  void textNeverShowsThePin() {
    try (Pin pin = Pin.of("5678".toCharArray())) {
      assertThat(pin).hasToString("Pin[***]");
    }
  }

  @Test
  void aClosedPinIsOfNoUse() {
    Pin pin = Pin.of("5678".toCharArray());
    pin.close();
    pin.close();

    assertThatIllegalStateException().isThrownBy(() -> content(pin));
  }
}
