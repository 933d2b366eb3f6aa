package org.keywell.examples.pdfsigning;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.keywell.client.ServiceProblemException;
import org.keywell.client.Signer;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentSignRequest;
import org.keywell.dss.DocumentSigningException;
import org.keywell.dss.DocumentToSign;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.VisibleSignature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;

/**
 * Gives an uploaded PDF back signed, with a visible signature at the next free place of its last
 * page.
 *
 * <p>The visitor types the signer's name: fine to try it, and wrong in an e-service, which takes it
 * from the service that authenticated the visitor, or hands the ticket on ({@code identityProof}).
 */
@RestController
final class SigningController {

  private static final Logger log = LoggerFactory.getLogger(SigningController.class);

  private final KeywellDocumentSigner signer;

  SigningController(KeywellDocumentSigner signer) {
    this.signer = signer;
  }

  @PostMapping(
      path = "/documents",
      consumes = MediaType.MULTIPART_FORM_DATA_VALUE,
      produces = MediaType.APPLICATION_PDF_VALUE)
  ResponseEntity<byte[]> sign(@RequestParam MultipartFile file, @RequestParam String name)
      throws IOException, InterruptedException, DocumentSigningException {
    Document contract = new Document(fileName(file), file.getBytes());
    Document signed =
        signer
            .sign(
                DocumentSignRequest.by(Signer.named(name))
                    .document(DocumentToSign.pdf(contract, VisibleSignature.atFreePlace()))
                    .build())
            .document();
    return ResponseEntity.ok()
        .contentType(MediaType.APPLICATION_PDF)
        .header(
            HttpHeaders.CONTENT_DISPOSITION,
            ContentDisposition.attachment()
                .filename(signed.name(), StandardCharsets.UTF_8)
                .build()
                .toString())
        .body(signed.content());
  }

  private static String fileName(MultipartFile file) {
    String name = file.getOriginalFilename();
    return name == null || name.isBlank() ? "document.pdf" : name;
  }

  @ExceptionHandler
  ProblemDetail unsuitable(DocumentSigningException e) {
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.UNPROCESSABLE_CONTENT, "this file cannot be signed");
  }

  @ExceptionHandler
  ProblemDetail refused(ServiceProblemException e) {
    if (e.problem().is("bad-signer")) {
      return ProblemDetail.forStatusAndDetail(
          HttpStatus.UNPROCESSABLE_CONTENT, "this name cannot be in a certificate");
    }
    return unsigned(e);
  }

  /** Why is for the log: that is this e-service's matter, not its visitor's. */
  @ExceptionHandler
  ProblemDetail unsigned(IOException e) {
    log.warn("nothing was signed: {}", e.toString());
    return ProblemDetail.forStatusAndDetail(
        HttpStatus.SERVICE_UNAVAILABLE, "nothing was signed; please try again later");
  }
}
