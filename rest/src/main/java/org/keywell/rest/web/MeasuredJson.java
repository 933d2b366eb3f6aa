package org.keywell.rest.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpOutputMessage;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes JSON with its length. Spring flushes an answer with its own header fields, so Tomcat does
 * not learn its length, sends it in chunks, and closes connections of HTTP/1.0 clients (RFC 9112,
 * sections 6.1 and 9.3). With a known length, all of it goes out at once.
 */
final class MeasuredJson extends JacksonJsonHttpMessageConverter {

  /** Fits most answers: signatures with a certificate and its chain. */
  private static final int USUAL_BYTES = 4 << 10;

  MeasuredJson(JsonMapper mapper) {
    super(mapper);
  }

  @Override
  protected void writeInternal(
      Object value,
      ResolvableType type,
      HttpOutputMessage answer,
      @Nullable Map<String, Object> hints)
      throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream(USUAL_BYTES);
    super.writeInternal(value, type, new Body(answer.getHeaders(), json), hints);
    answer.getHeaders().setContentLength(json.size());
    json.writeTo(answer.getBody());
  }

  private record Body(HttpHeaders headers, OutputStream body) implements HttpOutputMessage {

    @Override
    public HttpHeaders getHeaders() {
      return headers;
    }

    @Override
    public OutputStream getBody() {
      return body;
    }
  }
}
