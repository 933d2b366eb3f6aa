package org.keywell.rest.ca;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.nio.charset.StandardCharsets;
import org.keywell.ca.token.PemCertificates;
import org.keywell.signing.ca.IssuingCas;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /ca/chain}. */
@Tag(name = "Certification authority")
@RestController
public final class CaController {

  private static final String MEDIA_TYPE = "application/pem-certificate-chain";

  private final IssuingCas cas;

  public CaController(IssuingCas cas) {
    this.cas = cas;
  }

  @Operation(summary = "The CA's certificates in PEM: issuing CAs first, root last")
  @ApiResponse(
      responseCode = "200",
      description = "Concatenated as in RFC 8555, section 9.1",
      content =
          @Content(
              mediaType = MEDIA_TYPE,
              // Binary: generated clients treat a string as JSON, regardless of its media type.
              schema = @Schema(type = "string", format = "binary")))
  // Ignores Accept: there is only one format, and some generated clients, for an operation that may
  // also return a problem document, name only that document.
  @GetMapping("/ca/chain")
  public ResponseEntity<byte[]> chain() {
    return ResponseEntity.ok()
        .contentType(MediaType.parseMediaType(MEDIA_TYPE))
        .body(PemCertificates.write(cas.certificates()).getBytes(StandardCharsets.US_ASCII));
  }
}
