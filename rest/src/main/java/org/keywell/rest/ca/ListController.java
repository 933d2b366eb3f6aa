package org.keywell.rest.ca;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.InstantSource;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.signing.revocation.PublishedList;
import org.keywell.signing.revocation.PublishedLists;
import org.keywell.signing.sign.CallerReads;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /ca/crl/…}: lists of revoked certificates (RFC 5280, section 5; served as RFC 2585,
 * section 4 has it). Not in the OpenAPI document: validators find them by the certificates.
 */
@Hidden
@RestController
public final class ListController {

  private static final MediaType CRL = new MediaType("application", "pkix-crl");

  /** Less than validators cache a list for anyway, and hardly longer than a revocation takes. */
  private static final Duration CACHED = Duration.ofMinutes(1);

  private final PublishedLists lists;
  private final CallerReads reads;
  private final InstantSource clock;

  public ListController(PublishedLists lists, CallerReads reads, InstantSource clock) {
    this.lists = lists;
    this.reads = reads;
    this.clock = clock;
  }

  @GetMapping("/ca/crl/{issuer}/{list}")
  public ResponseEntity<byte[]> list(
      @PathVariable String issuer, @PathVariable String list, HttpServletRequest http) {
    PublishedList found =
        CrlShard.at(issuer + "/" + list)
            .flatMap(shard -> reads.read(CurrentCaller.of(http), () -> lists.find(shard)))
            .orElseThrow(() ->
                new ProblemException(
                    ProblemType.NOT_FOUND, "no certificate that is still valid names this list"));
    // Spring answers 304 where the caller has this one.
    return ResponseEntity.ok()
        .contentType(CRL)
        .cacheControl(CacheControl.maxAge(CACHED).cachePublic())
        .eTag("\"" + found.number() + "\"")
        // For validators that speak HTTP/1.0; to all others, max-age counts.
        .headers(headers -> headers.setExpires(clock.millis() + CACHED.toMillis()))
        .lastModified(found.thisUpdate())
        // Spring would call it f.txt.
        .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + list + "\"")
        .body(found.crl());
  }
}
