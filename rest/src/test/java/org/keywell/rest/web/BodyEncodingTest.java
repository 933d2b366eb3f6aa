package org.keywell.rest.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;

final class BodyEncodingTest {

  private static boolean takes(@Nullable String type) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/sign");
    request.setContentType(type);
    return new BodyEncoding().preHandle(request, new MockHttpServletResponse(), "handler");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "application/json",
        "application/json;charset=utf-8",
        "application/json; charset=\"UTF-8\"",
        "application/timestamp-query"
      })
  void utf8ComesIn(@Nullable String type) throws Exception {
    assertThat(takes(type)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;charset=utf-16",
        "application/json; Charset=\"UTF-16LE\"",
        "application/json;charset=iso-8859-1",
        "application/timestamp-query;charset=utf-16",
        "application/ocsp-request;charset=utf-32"
      })
  void anotherEncodingIsRefusedWithTheTypeThatFits(String type) {
    assertThatExceptionOfType(HttpMediaTypeNotSupportedException.class)
        .isThrownBy(() -> takes(type))
        .satisfies(refused ->
            assertThat(MediaType.toString(refused.getSupportedMediaTypes()))
                .isEqualTo(type.substring(0, type.indexOf(';'))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json;charset=no-such", "json", "a/b;charset="})
  void whatIsNoTypeIsRefused(String type) {
    assertThatExceptionOfType(HttpMediaTypeNotSupportedException.class)
        .isThrownBy(() -> takes(type));
  }
}
