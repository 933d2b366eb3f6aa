package org.keywell.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

final class UnreadableJsonTest {

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"secret\":1}|UNKNOWN_FIELD|'secret' is not a known field",
        "{\"signer\":{\"nick\":1}}|UNKNOWN_FIELD|'signer.nick' is not a known field",
        "{\"signer\":\"secret\"}|MALFORMED_JSON|'signer' has the wrong type",
        "[]|MALFORMED_JSON|the body is not a single JSON object",
        "{\"digest\":secret}|MALFORMED_JSON|not JSON (RFC 8259), line 1, column 11",
        "{|MALFORMED_JSON|not JSON (RFC 8259), line 1, column 2"
      })
  void namesTheFaultAndQuotesNoValue(String body, Reason reason, String detail) {
    Refusal refusal =
        UnreadableJson.refusal(catchThrowable(() -> STRICT.readValue(body, SignRequestBody.class)));

    assertThat(refusal.reason()).isEqualTo(reason);
    assertThat(refusal.detail()).isEqualTo(detail);
  }

  @Test
  void nothingIsUnreadable() {
    assertThat(UnreadableJson.refusal(null).reason()).isEqualTo(Reason.MALFORMED_JSON);
  }
}
