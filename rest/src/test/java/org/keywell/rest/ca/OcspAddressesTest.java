package org.keywell.rest.ca;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

final class OcspAddressesTest {

  private static final String KEY = "/ca/ocsp/" + "0a".repeat(20);

  /** Its base64 has each character in which the two alphabets differ, and padding. */
  private static final byte[] REQUEST = HexFormat.of().parseHex("30fbefbefffeff01");

  private static byte[] requestIn(String text) throws Exception {
    MockHttpServletRequest http = new MockHttpServletRequest("GET", KEY + "/" + text);
    MockFilterChain chain = new MockFilterChain();
    new OcspAddresses().doFilter(http, new MockHttpServletResponse(), chain);
    assertThat(chain.getRequest())
        .isInstanceOfSatisfying(
            HttpServletRequest.class,
            without -> assertThat(without.getRequestURI()).isEqualTo(KEY));
    return OcspAddresses.request(http);
  }

  @Test
  void aRequestIsReadInEitherAlphabet() throws Exception {
    String plain = Base64.getEncoder().encodeToString(REQUEST);
    String url = Base64.getUrlEncoder().encodeToString(REQUEST);
    assertThat(plain).contains("+", "/", "=");
    assertThat(url).contains("-", "_", "=");

    assertThat(requestIn(plain)).isEqualTo(REQUEST);
    assertThat(requestIn(URLEncoder.encode(plain, StandardCharsets.US_ASCII))).isEqualTo(REQUEST);
    assertThat(requestIn(url)).isEqualTo(REQUEST);
    assertThat(requestIn(url.replace("=", ""))).isEqualTo(REQUEST);
  }

  @Test
  void whatIsNotBase64IsNoRequest() throws Exception {
    assertThat(requestIn("%21%21")).isEmpty();
    assertThat(requestIn("A")).isEmpty();
  }
}
