package org.keywell.ca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerNamesTest {

  @Test
  void namesAreTakenOnceAndInLowerCase() {
    ServerNames names =
        ServerNames.of(
            List.of(
                "2001:db8::1",
                "Keywell.Example",
                "keywell.example",
                "localhost",
                "192.0.2.1",
                "2001:DB8:0:0::1",
                "xn--bcher-kva.example"),
            false);

    assertThat(names.toString())
        .isEqualTo(
            "keywell.example, localhost, xn--bcher-kva.example, 2001:db8:0:0:0:0:0:1, 192.0.2.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".",
        "a..b",
        ".example.com",
        "example.com.",
        "-a.example",
        "a-.example",
        "a_b.example",
        "a b",
        "a\0.example",
        "bücher.example",
        "example.com/a",
        "*.example.com",
        "*"
      })
  void whatIsNoHostIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerNames.of(List.of(name), false))
        .withMessageContaining("'" + name + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1",
        "192.0.2",
        "192.0.2.256",
        "192.0.2.01",
        "0.0.0.0",
        "224.0.0.1",
        "0x7f.1",
        "example.0X1",
        "::",
        "fe80::1%1",
        "ff02::1",
        "2001:db8::g",
        "example.com:443"
      })
  void whatIsNoServersAddressIsRefused(String address) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerNames.of(List.of(address), false))
        .withMessageContaining(address);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "*.com", "*.*.example.com", "a.*.example.com", "a*.example.com"})
  void aWildcardStandsForOneLabelOfADomain(String name) {
    assertThat(ServerNames.of(List.of("*.example.com"), true).hosts())
        .containsExactly("*.example.com");
    assertThatIllegalArgumentException().isThrownBy(() -> ServerNames.of(List.of(name), true));
  }

  @Test
  void theirNumberAndLengthAreLimited() {
    assertThatIllegalArgumentException().isThrownBy(() -> ServerNames.of(List.of(), false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ServerNames(Collections.nCopies(101, "a"), List.of()))
        .withMessage("a server has 1 to 100 names and addresses, not 101");
    String label = "a".repeat(63);
    String longest = String.join(".", label, label, label, "a".repeat(61));
    assertThat(ServerNames.of(List.of(longest), false).hosts()).hasSize(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServerNames.of(List.of(longest + "a"), false));
  }
}
