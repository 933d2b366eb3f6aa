package org.keywell.service.web;

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
 * JSON whose length is told before it. Spring flushes an answer that has header fields of its own,
 * so that Tomcat does not learn its length, sends it in chunks, and closes the connections of
 * clients that speak HTTP/1.0 (RFC 9112, sections 6.1 and 9.3). Told, all of it goes out at once.
 */
final class MeasuredJson extends JacksonJsonHttpMessageConverter {

  /** Most answers fit: signatures with a certificate and its chain. */
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
