package org.keywell.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.AuthenticationContext;
import org.keywell.ca.SubjectAttribute;
import org.keywell.identity.ProvenIdentity.Attested;

/** What a certificate cannot repeat is refused with the ticket, not after a key is spent. */
final class ProvenIdentityTest {

  private static ProvenIdentity of(String assurance, String reference, String said) {
    return new ProvenIdentity(
        "https://idp.example",
        Instant.EPOCH,
        assurance,
        reference,
        new byte[32],
        Instant.EPOCH,
        List.of(new Attested("name", SubjectAttribute.COMMON_NAME, "Astrid", said)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\u0000", "a\nb", "\uD800", "\uFFFE"})
  void textThatXmlCannotHoldIsRefused(String text) {
    assertMalformed(text, "_1", "Astrid");
    assertMalformed("loa3", text, "Astrid");
    assertMalformed("loa3", "_1", text);
  }

  @Test
  void whatIsLongerThanACertificateTakesIsRefused() {
    String longest = "x".repeat(AuthenticationContext.LONGEST_TEXT);
    assertThat(of("loa3", longest, "Astrid").reference()).isEqualTo(longest);
    assertMalformed("loa3", longest + "x", "Astrid");
  }

  private static void assertMalformed(String assurance, String reference, String said) {
    assertThatExceptionOfType(ProofRefusedException.class)
        .isThrownBy(() -> of(assurance, reference, said))
        .satisfies(refused -> assertThat(refused.reason()).isEqualTo(ProofRefusal.MALFORMED));
  }
}
