package org.keywell.operations.console;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.keywell.operations.console.ConsoleFiles.ConsoleFile;
import org.keywell.rest.http.HttpConnection;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /console}, its files and its events. */
@Hidden
@RestController
final class ConsoleController {

  private static final Logger log = LoggerFactory.getLogger(ConsoleController.class);

  /** Nothing comes from elsewhere, and the page has no inline scripts or styles. */
  static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** How long the browser waits to reconnect. */
  private static final byte[] RETRY = "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);

  /** Sent if no event comes in time, to detect a reader that is gone. */
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private static final Duration SILENCE = Duration.ofSeconds(10);

  private final ConsoleFiles files;
  private final ConsoleLimits limits;
  private final ConsoleSampler sampler;
  private final Subscribers subscribers;
  private final EventFormat format;

  ConsoleController(
      ConsoleFiles files,
      ConsoleLimits limits,
      ConsoleSampler sampler,
      Subscribers subscribers,
      EventFormat format) {
    this.files = files;
    this.limits = limits;
    this.sampler = sampler;
    this.subscribers = subscribers;
    this.format = format;
  }

  @GetMapping("/console")
  ResponseEntity<byte[]> page() {
    return file(ConsoleFiles.PAGE);
  }

  @GetMapping("/console/{name}")
  ResponseEntity<byte[]> file(@PathVariable String name) {
    ConsoleFile file =
        files
            .find(name)
            .orElseThrow(
                () -> new ProblemException(ProblemType.NOT_FOUND, "the console is at /console"));
    return ResponseEntity.ok()
        .contentType(file.type())
        .eTag(file.etag())
        // A page and its scripts must be of one version: cached, but always revalidated.
        .cacheControl(CacheControl.noCache())
        .header("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        .header("X-Content-Type-Options", "nosniff")
        .header("Referrer-Policy", "no-referrer")
        .body(file.content());
  }

  /**
   * Writes events until the reader or the service goes. Only this thread, the request's own, waits
   * for a slow reader.
   */
  @GetMapping("/console/events")
  void events(HttpServletRequest request, HttpServletResponse response)
      throws InterruptedException {
    try (Subscription subscription = subscribers.subscribe()) {
      response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
      response.setCharacterEncoding(StandardCharsets.UTF_8);
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Content-Type-Options", "nosniff");
      HttpConnection.answerHasNoEnd(request);
      stream(subscription, response.getOutputStream());
    } catch (IOException e) {
      log.debug("a reader of the console's events is gone: {}", e.getMessage());
    }
  }

  private void stream(Subscription subscription, OutputStream out)
      throws IOException, InterruptedException {
    out.write(RETRY);
    out.write(format.encode("history", new ConsoleEvent.History(limits, sampler.history())));
    out.flush();
    while (subscription.isOpen()) {
      Optional<byte[]> event = subscription.take(SILENCE);
      if (subscription.isOpen()) {
        out.write(event.orElse(COMMENT));
        out.flush();
      }
    }
  }
}
