package org.keywell.service.ca;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.token.PemCertificates;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /ca/chain}. */
@Tag(name = "Certification authority")
@RestController
public final class CaController {

  private final CertificateAuthority ca;

  public CaController(CertificateAuthority ca) {
    this.ca = ca;
  }

  @Operation(summary = "The CA's certificates in PEM: issuing CA first, root last")
  @GetMapping(path = "/ca/chain", produces = "application/pem-certificate-chain")
  public String chain() {
    return PemCertificates.write(ca.chain());
  }
}
