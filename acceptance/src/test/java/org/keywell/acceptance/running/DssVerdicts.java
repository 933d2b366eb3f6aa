package org.keywell.acceptance.running;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.keywell.ca.token.PemCertificates;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.VerifiedSignature;

/** Prints DSS's verdict on each document: the root, in PEM, and the documents are arguments. */
public final class DssVerdicts {

  private DssVerdicts() {}

  static void main(String[] args) throws Exception {
    DocumentVerification verification =
        DocumentVerification.trusting(
            PemCertificates.read(Files.readString(Path.of(args[0]), UTF_8)));
    for (String name : Arrays.copyOfRange(args, 1, args.length)) {
      Document document = Document.read(Path.of(name));
      for (VerifiedSignature signature : verification.verify(document).signatures()) {
        System.out.println(
            "verdict "
                + document.name()
                + " "
                + (signature.passed()
                    ? "passed"
                    : Objects.requireNonNullElse(
                        signature.subIndication(), signature.indication())));
        System.out.println(signature);
      }
    }
    // DSS's threads would keep the process alive.
    System.exit(0);
  }
}
