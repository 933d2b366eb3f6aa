package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.tlog.NoteKey;

final class LogPropertiesTest {

  private static final OwnWitnessProperties NO_WITNESS =
      new OwnWitnessProperties(null, "keywell-witness", List.of());

  @ParameterizedTest
  @ValueSource(strings = {"sign.example.org/log", "localhost:8420", "a/b~c_d-e"})
  void anOriginIsANameWithoutAScheme(String origin) {
    assertThat(new LogProperties(origin, "keywell-log", false, List.of(), 0, NO_WITNESS).isKept())
        .isTrue();
  }

  /** C2SP tlog-checkpoint and signed-note: neither spaces, nor plus, nor line breaks. */
  @ParameterizedTest
  @ValueSource(strings = {"https://sign.example.org/log", "a b", "a+b", "a\nb", "é"})
  void anythingElseIsRefusedByName(String origin) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(origin, "keywell-log", false, List.of(), 0, NO_WITNESS))
        .withMessageContaining("keywell.log.origin");
  }

  @Test
  void withoutOneNoLogIsKept() {
    assertThat(new LogProperties(null, "keywell-log", false, List.of(), 0, NO_WITNESS).isKept())
        .isFalse();
    assertThat(new LogProperties(" ", "keywell-log", false, List.of(), 0, NO_WITNESS).isKept())
        .isFalse();
  }

  @Test
  void theKeysLabelIsOneThatATokenTakes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(null, "a label", false, List.of(), 0, NO_WITNESS))
        .withMessageContaining("keywell.log.key-label");
  }

  @Test
  void onlyALogThatIsKeptIsPublic() {
    assertThat(
            new LogProperties("sign.example.org/log", "keywell-log", true, List.of(), 0, NO_WITNESS)
                .isPublic())
        .isTrue();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(null, "keywell-log", true, List.of(), 0, NO_WITNESS))
        .withMessageContaining("keywell.log.public");
  }

  private static final String EAST =
      "east.example/w+d6fd43af+BCUlFZ4AUyqeJyUhDtRFsUFsApmcHLqhX1XS9hkwd+6I";

  private static WitnessProperties witness(String url, String key) {
    return new WitnessProperties(URI.create(url), key);
  }

  @Test
  void aWitnessHasAnAddressAndAKey() {
    WitnessProperties east = witness("https://east.example/w", EAST);
    assertThat(east.name()).isEqualTo("east.example/w");
    assertThat(east.address()).hasToString("https://east.example/w/add-checkpoint");
    assertThat(witness("http://127.0.0.1:8420/", EAST).address())
        .hasToString("http://127.0.0.1:8420/add-checkpoint");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://east.example", "ftp://east.example", "https://a:b@east.example", "east"})
  void aWitnessIsReachedByHttpsUnlessOnThisMachine(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> witness(url, EAST))
        .withMessageContaining("keywell.log.witnesses");
  }

  /** The second one signs, and makes no cosignatures. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "east.example/w+00000000+BCUlFZ4AUyqeJyUhDtRFsUFsApmcHLqhX1XS9hkwd+6I",
        "east.example/w+c97b1dfa+ASUlFZ4AUyqeJyUhDtRFsUFsApmcHLqhX1XS9hkwd+6I",
        "nonsense"
      })
  void aWitnesssKeyIsOneForCosignatures(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> witness("https://east.example", key))
        .withMessageContaining("keywell.log.witnesses");
  }

  @Test
  void aQuorumIsOfTheWitnesses() {
    List<WitnessProperties> one = List.of(witness("https://east.example/w", EAST));
    assertThat(new LogProperties("a/b", "keywell-log", false, one, 1, NO_WITNESS).witnessQuorum())
        .isEqualTo(1);
    for (int quorum : new int[] {-1, 2}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new LogProperties("a/b", "keywell-log", false, one, quorum, NO_WITNESS))
          .withMessageContaining("keywell.log.witness-quorum");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new LogProperties(null, "keywell-log", false, one, 0, NO_WITNESS))
        .withMessageContaining("keywell.log.origin");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new LogProperties(
                "a/b", "l", false, List.of(one.getFirst(), one.getFirst()), 1, NO_WITNESS))
        .withMessageContaining("same name");
  }

  @Test
  void aWitnessHasANameAndLogs() {
    String log = EAST.replace("east.example/w", "a/b");
    String key =
        new NoteKey("a/b", NoteKey.Type.ED25519, NoteKey.parse(EAST).material()).toString();
    assertThat(new OwnWitnessProperties("w.example/w", "k", List.of(key)).keys())
        .containsOnlyKeys("a/b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OwnWitnessProperties("w.example/w", "k", List.of()))
        .withMessageContaining("keywell.log.witness.logs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OwnWitnessProperties(null, "k", List.of(key)))
        .withMessageContaining("keywell.log.witness.name");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OwnWitnessProperties("w.example/w", "k", List.of(EAST)))
        .withMessageContaining("keywell.log.witness.logs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OwnWitnessProperties("w.example/w", "k", List.of(log)))
        .withMessageContaining("keywell.log.witness.logs");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OwnWitnessProperties("https://w.example", "k", List.of(key)))
        .withMessageContaining("keywell.log.witness.name");
  }
}
