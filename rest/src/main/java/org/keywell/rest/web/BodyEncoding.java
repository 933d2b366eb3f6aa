package org.keywell.rest.web;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Refuses bodies in another encoding than UTF-8. JSON has no other (RFC 8259, section 8.1), and
 * octets have none: a parser that believes the parameter reads another text than was checked.
 */
final class BodyEncoding implements HandlerInterceptor {

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws HttpMediaTypeNotSupportedException {
    @Nullable String header = request.getContentType();
    if (header == null || request.getDispatcherType() != DispatcherType.REQUEST) {
      return true;
    }
    MediaType type;
    try {
      type = MediaType.parseMediaType(header);
    } catch (InvalidMediaTypeException e) {
      throw new HttpMediaTypeNotSupportedException(String.valueOf(e.getMessage()));
    }
    @Nullable Charset charset = type.getCharset();
    if (charset != null && !charset.equals(StandardCharsets.UTF_8)) {
      throw new HttpMediaTypeNotSupportedException(
          type, List.of(new MediaType(type.getType(), type.getSubtype())));
    }
    return true;
  }
}
