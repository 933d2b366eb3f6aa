package org.keywell.rest.log;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.json.SignRequestParser;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.rest.security.CurrentCaller;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.sign.CallerReads;
import org.keywell.tlog.LogFormatException;
import org.keywell.tlog.TileId;
import org.keywell.tlog.TlogProof;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /log/…}. Not in the OpenAPI document: C2SP defines the formats, and their own tools
 * read them.
 */
@Hidden
@RestController
public final class LogController {

  private static final String PREFIX = "tile/";

  private final SigningLog log;
  private final CallerReads reads;

  /** For what is immutable: a tile that has its full or the given width. */
  private final CacheControl forEver;

  public LogController(SigningLog log, CallerReads reads, KeywellProperties properties) {
    this.log = log;
    this.reads = reads;
    CacheControl year = CacheControl.maxAge(Duration.ofDays(365)).immutable();
    this.forEver = properties.log().isPublic() ? year.cachePublic() : year.cachePrivate();
  }

  @GetMapping("/log/key")
  public ResponseEntity<byte[]> key(HttpServletRequest http) {
    return text(
        read(http, () -> Optional.of(log.keys()))
            .map(keys -> String.join("\n", keys) + "\n")
            .map(keys -> keys.getBytes(StandardCharsets.UTF_8))
            .orElseThrow());
  }

  @GetMapping("/log/checkpoint")
  public ResponseEntity<byte[]> checkpoint(HttpServletRequest http) {
    return text(
        read(http, log::checkpoint)
            .orElseThrow(() ->
                new ProblemException(
                    ProblemType.LOG_ENTRY_NOT_FOUND, "no checkpoint has been signed yet")));
  }

  @GetMapping("/log/witnessed-checkpoint")
  public ResponseEntity<byte[]> witnessedCheckpoint(HttpServletRequest http) {
    return text(
        read(http, log::witnessedCheckpoint)
            .orElseThrow(() ->
                new ProblemException(
                    ProblemType.LOG_ENTRY_NOT_FOUND,
                    "not enough witnesses have cosigned a checkpoint yet")));
  }

  @GetMapping("/log/tile/{*path}")
  public ResponseEntity<byte[]> tile(@PathVariable String path, HttpServletRequest http) {
    TileId tile = tile(path);
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_OCTET_STREAM)
        .cacheControl(forEver)
        .body(
            read(http, () -> log.tile(tile))
                .orElseThrow(() ->
                    new ProblemException(
                        ProblemType.LOG_ENTRY_NOT_FOUND, "the log has no " + tile.path())));
  }

  private static TileId tile(String path) {
    try {
      return TileId.parse(PREFIX + path.substring(1));
    } catch (LogFormatException e) {
      throw new ProblemException(ProblemType.NOT_FOUND, "no tile has this path: " + path);
    }
  }

  @GetMapping("/log/proof/{requestId}")
  public ResponseEntity<byte[]> proof(@PathVariable String requestId, HttpServletRequest http) {
    var id = SignRequestParser.uuid(requestId);
    return text(
        read(http, () -> log.proof(id))
            .map(TlogProof::bytes)
            .orElseThrow(() ->
                new ProblemException(
                    ProblemType.LOG_ENTRY_NOT_FOUND,
                    "no checkpoint has the end of request %s yet; try again in a second"
                        .formatted(id))));
  }

  private <T> Optional<T> read(HttpServletRequest http, Supplier<Optional<T>> find) {
    if (!log.isKept()) {
      throw new ProblemException(
          ProblemType.LOG_NOT_KEPT, "this service keeps no log: keywell.log.origin is not set");
    }
    return reads.read(CurrentCaller.of(http), find);
  }

  private static ResponseEntity<byte[]> text(byte[] text) {
    return ResponseEntity.ok()
        .contentType(new MediaType("text", "plain", StandardCharsets.UTF_8))
        .cacheControl(CacheControl.noStore())
        .body(text);
  }
}
