package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.caller.Role;
import org.springframework.mock.web.MockHttpServletRequest;

final class OpenAddressesTest {

  private final Caller known = Caller.onLoopback(EnumSet.of(Role.SIGN));
  private final OpenAddresses open =
      new OpenAddresses(EndpointRoles.ofTheService().pathsOfAWitness(), _ -> known);

  private Caller at(String address) {
    return open.of(new MockHttpServletRequest("POST", address));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/witness/key", "/witness/add-checkpoint"})
  void everyoneMayOfferCheckpoints(String address) {
    assertThat(at(address).roles()).containsExactly(Role.READ);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sign",
        "/log/checkpoint",
        "/witness/../sign",
        "/witness/key/",
        "/witness/key;a=b",
        "/witness/%6bey",
        "/Witness/key"
      })
  void anythingElseIdentifiesItsCaller(String address) {
    assertThat(at(address)).isSameAs(known);
  }
}
