package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

final class BodyLimitFilterTest {

  private static final int LIMIT = 1024;

  private final List<ProblemType> refusals = new ArrayList<>();
  private final BodyLimitFilter filter =
      new BodyLimitFilter(DataSize.ofBytes(LIMIT), new ProblemWriter(refusals::add));
  private final MockHttpServletResponse response = new MockHttpServletResponse();
  private final MockFilterChain chain = new MockFilterChain();

  @Test
  void aBodyOfExactlyTheLimitPasses() throws Exception {
    byte[] body = new byte[LIMIT];
    body[LIMIT - 1] = 7;

    assertThat(passed(post(body))).isEqualTo(body);
  }

  @Test
  void aDeclaredLengthBeyondTheLimitIsRefusedUnread() throws Exception {
    MockHttpServletRequest request = post(new byte[LIMIT + 1]);
    filter(request);

    assertRefused();
    assertThat(request.getInputStream().readAllBytes()).hasSize(LIMIT + 1);
  }

  @Test
  void aChunkedBodyIsReadNoFurtherThanTheLimit() throws Exception {
    MockHttpServletRequest request = chunked(new byte[10 * LIMIT]);
    filter(request);

    assertRefused();
    assertThat(request.getInputStream().readAllBytes()).hasSize(9 * LIMIT - 1);
  }

  @Test
  void aChunkedBodyWithinTheLimitPasses() throws Exception {
    byte[] body = {1, 2, 3};

    assertThat(passed(chunked(body))).isEqualTo(body);
  }

  @Test
  void aRequestWithoutABodyPasses() throws Exception {
    assertThat(passed(post(new byte[0]))).isEmpty();
    MockFilterChain another = new MockFilterChain();
    filter.doFilter(
        new MockHttpServletRequest("GET", "/sign/x"), new MockHttpServletResponse(), another);
    assertThat(another.getRequest()).isNotNull();
  }

  @Test
  void theBufferedBodyKnowsItsEnd() throws Exception {
    filter(post(new byte[] {5}));
    ServletInputStream body = requestThatPassed().getInputStream();

    assertThat(body.isReady()).isTrue();
    assertThat(body.isFinished()).isFalse();
    assertThat(body.read()).isEqualTo(5);
    assertThat(body.isFinished()).isTrue();
    assertThat(body.read()).isEqualTo(-1);
  }

  private void assertRefused() throws IOException {
    assertThat(chain.getRequest()).isNull();
    assertThat(refusals).containsExactly(ProblemType.BODY_TOO_LARGE);
    assertThat(response.getStatus()).isEqualTo(413);
    assertThat(response.getContentType()).isEqualTo("application/problem+json");
    assertThat(response.getContentAsString()).contains("keywell.sign.max-body is 1024 bytes");
  }

  private byte[] passed(MockHttpServletRequest request) throws ServletException, IOException {
    filter(request);
    return requestThatPassed().getInputStream().readAllBytes();
  }

  private jakarta.servlet.ServletRequest requestThatPassed() {
    if (chain.getRequest() == null) {
      throw new AssertionError("the request did not pass: " + refusals);
    }
    return chain.getRequest();
  }

  private void filter(MockHttpServletRequest request) throws ServletException, IOException {
    filter.doFilter(request, response, chain);
  }

  private static MockHttpServletRequest post(byte[] body) {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", "/sign");
    request.setContent(body);
    return request;
  }

  private static MockHttpServletRequest chunked(byte[] body) {
    MockHttpServletRequest request =
        new MockHttpServletRequest("POST", "/sign") {
          @Override
          public int getContentLength() {
            return -1;
          }

          @Override
          public long getContentLengthLong() {
            return -1;
          }
        };
    request.setContent(body);
    return request;
  }
}
