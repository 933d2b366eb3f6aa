package org.keywell.service.ca;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.keywell.ca.token.PemCertificates;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /ca/chain}. */
@Tag(name = "Certification authority")
@RestController
public final class CaController {

  private final IssuingCas cas;

  public CaController(IssuingCas cas) {
    this.cas = cas;
  }

  @Operation(summary = "The CA's certificates in PEM: issuing CAs first, root last")
  @GetMapping(path = "/ca/chain", produces = "application/pem-certificate-chain")
  public String chain() {
    return PemCertificates.write(cas.certificates());
  }
}
