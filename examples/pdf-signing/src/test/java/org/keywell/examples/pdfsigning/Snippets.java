package org.keywell.examples.pdfsigning;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.keywell.client.IdentityProof;
import org.keywell.client.KeywellClient;
import org.keywell.client.PemTls;
import org.keywell.client.Signer;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentSignRequest;
import org.keywell.dss.DocumentSigningException;
import org.keywell.dss.DocumentToSign;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.LogProofException;
import org.keywell.dss.LogProofs;
import org.keywell.dss.SignedDocuments;
import org.keywell.dss.VisibleSignature;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** The Java of README.md and docs/DOCUMENTS.md; {@code DocumentsPageTest} compares the two. */
final class Snippets {

  private Snippets() {}

  static KeywellClient client(Path authority, Path certificate, Path key) throws IOException {
    KeywellClient keywell =
        KeywellClient.at(URI.create("https://keywell.example:8443"))
            .tls(PemTls.context(authority, certificate, key))
            .build();
    return keywell;
  }

  static void onePdf(KeywellClient keywell, Path directory)
      throws IOException, InterruptedException, DocumentSigningException {
    KeywellDocumentSigner signer = new KeywellDocumentSigner(keywell);
    Document contract = Document.read(directory.resolve("contract.pdf"));
    Document signed = signer.sign(contract, DocumentFormat.PADES, Signer.named("Astrid Exempel"));
    Files.write(directory.resolve(signed.name()), signed.content());
  }

  static DocumentSignRequest byATicket(Document contract, String ticket) {
    DocumentSignRequest request =
        DocumentSignRequest.by(new IdentityProof("jwt", ticket, null))
            .document(
                DocumentToSign.pdf(
                    contract, VisibleSignature.atFreePlace().saying("Signed by Astrid Exempel")))
            .profile("short-lived")
            .build();
    return request;
  }

  static void withItsProof(
      KeywellClient keywell,
      KeywellDocumentSigner signer,
      DocumentSignRequest request,
      String logKey,
      Path directory)
      throws IOException, InterruptedException, DocumentSigningException, LogProofException {
    SignedDocuments act = signer.sign(request);
    byte[] proof = new LogProofs(keywell, logKey).of(act, Duration.ofSeconds(30));
    Files.write(directory.resolve(act.document().name() + ".tlog-proof"), proof);
  }

  static List<Document> several(KeywellDocumentSigner signer, Document contract, Document annex)
      throws IOException, InterruptedException, DocumentSigningException {
    DocumentSignRequest request =
        DocumentSignRequest.by(Signer.named("Astrid Exempel"))
            .document(contract, DocumentFormat.PADES)
            .document(annex, DocumentFormat.CADES_DETACHED)
            .build();
    List<Document> signed = signer.sign(request).documents();
    return signed;
  }

  /** What an application adds to the starter. */
  static final class Contracts {
    private final KeywellDocumentSigner documents;

    Contracts(KeywellDocumentSigner documents) {
      this.documents = documents;
    }

    @PostMapping("/contracts")
    byte[] sign(@RequestBody byte[] pdf) throws Exception {
      Document contract = new Document("contract.pdf", pdf);
      return documents
          .sign(contract, DocumentFormat.PADES, Signer.named("Astrid Exempel"))
          .content();
    }
  }
}
