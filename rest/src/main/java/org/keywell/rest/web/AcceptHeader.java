package org.keywell.rest.web;

import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationStrategy;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.context.request.NativeWebRequest;

/**
 * What the caller accepts. To Spring, a range of quality 0 is the last choice; by RFC 9110, section
 * 12.4.2, it is not acceptable at all.
 */
final class AcceptHeader implements ContentNegotiationStrategy {

  private final ContentNegotiationStrategy header = new HeaderContentNegotiationStrategy();

  @Override
  public List<MediaType> resolveMediaTypes(NativeWebRequest request)
      throws HttpMediaTypeNotAcceptableException {
    List<MediaType> ranges = header.resolveMediaTypes(request);
    List<MediaType> refused = ranges.stream().filter(AcceptHeader::isRefused).toList();
    if (refused.isEmpty()) {
      return ranges;
    }
    // A wider range must not readmit what was refused.
    List<MediaType> accepted =
        ranges.stream()
            .filter(range -> !isRefused(range) && refused.stream().noneMatch(range::includes))
            .toList();
    if (accepted.isEmpty()) {
      throw new HttpMediaTypeNotAcceptableException("Accept refuses what it names");
    }
    return accepted;
  }

  private static boolean isRefused(MediaType range) {
    return range.getQualityValue() == 0;
  }
}
