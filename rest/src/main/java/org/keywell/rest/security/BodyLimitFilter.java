package org.keywell.rest.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.http.HttpConnection;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.problem.ProblemWriter;
import org.springframework.http.MediaType;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Reads each body up to the limit before it is parsed, regardless of the claimed length, and
 * refuses JSON that is not UTF-8.
 */
public final class BodyLimitFilter extends OncePerRequestFilter {

  private static final String JSON = MediaType.APPLICATION_JSON_VALUE;

  private final int maxBytes;
  private final ProblemWriter problems;

  public BodyLimitFilter(DataSize maxBody, ProblemWriter problems) {
    this.maxBytes = Math.toIntExact(maxBody.toBytes());
    this.problems = problems;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    ServletInputStream in = request.getInputStream();
    if (in.isFinished()) {
      chain.doFilter(request, response);
      return;
    }
    byte[] body = request.getContentLengthLong() > maxBytes ? null : in.readNBytes(maxBytes + 1);
    if (body == null || body.length > maxBytes) {
      problems.write(
          new Problem(
              ProblemType.BODY_TOO_LARGE, "keywell.sign.max-body is " + maxBytes + " bytes"),
          request,
          response);
      return;
    }
    HttpConnection.requestIsComplete(request);
    if (isJson(request.getContentType()) && !isUtf8(body)) {
      problems.write(
          new Problem(ProblemType.MALFORMED_JSON, "not UTF-8 (RFC 8259, section 8.1)"),
          request,
          response);
      return;
    }
    chain.doFilter(new BufferedRequest(request, body), response);
  }

  private static boolean isJson(@Nullable String contentType) {
    return contentType != null && contentType.regionMatches(true, 0, JSON, 0, JSON.length());
  }

  /** Strict: the parser accepts overlong sequences and surrogates, which are second spellings. */
  private static boolean isUtf8(byte[] body) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).position() == 0;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private static final class BufferedRequest extends HttpServletRequestWrapper {
    private final ServletInputStream body;

    BufferedRequest(HttpServletRequest request, byte[] body) {
      super(request);
      this.body = new BufferedBody(new ByteArrayInputStream(body));
    }

    @Override
    public ServletInputStream getInputStream() {
      return body;
    }
  }

  private static final class BufferedBody extends ServletInputStream {
    private final ByteArrayInputStream bytes;

    BufferedBody(ByteArrayInputStream bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      return bytes.read(target, offset, length);
    }

    @Override
    public boolean isFinished() {
      return bytes.available() == 0;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException("bodies are read synchronously");
    }
  }
}
