package org.keywell.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Digest;
import org.keywell.client.KeywellClient;
import org.keywell.client.ServiceProblemException;
import org.keywell.dss.BaselineLevel;
import org.keywell.dss.CharacterNotShownException;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentSignRequest;
import org.keywell.dss.DocumentSigningException;
import org.keywell.dss.DocumentToSign;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.ExtensionMissingException;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.PasswordException;
import org.keywell.dss.SignedDocuments;
import org.keywell.dss.TimestampAuthority;
import org.keywell.dss.TimestampMissingException;
import org.keywell.dss.UnsuitableDocumentException;
import org.keywell.dss.ValidationSources;
import org.keywell.dss.VerifiedDocument;

/** Signs a document with EU DSS and verifies the result with it. */
final class DocumentSigning implements Signing {
  private static final long MOST_BYTES = 256L << 20;
  private static final long SIGNATURE_BYTES = 256 << 10;

  private final DocumentOptions.Form form;
  private final DocumentOptions options;
  private final KeyOptions key;
  private final SignerOptions signer;
  private final String requestId;

  DocumentSigning(
      DocumentOptions.Form form,
      DocumentOptions options,
      KeyOptions key,
      SignerOptions signer,
      String requestId) {
    this.form = form;
    this.options = options;
    this.key = key;
    this.signer = signer;
    this.requestId = requestId;
  }

  private DocumentFormat format(Path file) {
    return switch (form) {
      case PADES -> DocumentFormat.PADES;
      case XADES ->
          file.toString().toLowerCase(Locale.ROOT).endsWith(".xml")
              ? DocumentFormat.XADES_ENVELOPED
              : DocumentFormat.XADES_ENVELOPING;
      case CADES -> DocumentFormat.CADES_DETACHED;
      case JADES -> DocumentFormat.JADES;
      case ASICE -> DocumentFormat.ASICE_XADES;
    };
  }

  @Override
  public List<String> names(Path file) {
    String name = String.valueOf(file.getFileName());
    return List.of(
        switch (form) {
          case PADES, XADES, JADES -> format(file).signedName(name);
          case CADES -> name + ".p7s";
          case ASICE -> name + ".asice";
        });
  }

  /** Base64 turns three bytes into four. */
  @Override
  public long expectedBytes(Path file) throws IOException {
    return SIGNATURE_BYTES + (form == DocumentOptions.Form.CADES ? 0 : Files.size(file) / 3 * 4);
  }

  @Override
  public Done sign(KeywellClient client, Path file)
      throws IOException, InterruptedException, CommandFailedException {
    if (Files.size(file) > MOST_BYTES) {
      throw new CommandFailedException(
          "%s is larger than %d MB, which is in memory as a whole; without --%s any length is signed"
              .formatted(file, MOST_BYTES >> 20, form.name().toLowerCase(Locale.ROOT)));
    }
    Document content = options.password().opening(Document.read(file));
    DocumentFormat format = format(file);
    List<X509Certificate> trusted = TrustedRoots.of(options.root());
    try {
      SignedDocuments signed = signer(client, trusted).sign(request(content, format));
      return new Signed(file, content, format, key.digest(), trusted, signed, null);
    } catch (ServiceProblemException e) {
      throw new CommandFailedException("the service did not sign: " + e.problem().summary(), e);
    } catch (TimestampMissingException e) {
      String shortfall = "it is signed at level B, without a time stamp: " + e.getMessage();
      return new Signed(
          file, content, format, key.digest(), trusted, e.withoutTimestamp(), shortfall);
    } catch (ExtensionMissingException e) {
      String shortfall =
          "it is signed at level T (./keywell extend tries again): " + e.getMessage();
      return new Signed(file, content, format, key.digest(), trusted, e.atLevelT(), shortfall);
    } catch (UnsuitableDocumentException e) {
      throw CommandFailedException.unusable(
          e.getMessage()
              + (e.getCause() instanceof CharacterNotShownException
                  ? " (--visible-font, --visible-text)"
                  : "")
              + (e.getCause() instanceof PasswordException ? " (--password-file)" : ""),
          e);
    } catch (DocumentSigningException e) {
      throw new CommandFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private KeywellDocumentSigner signer(KeywellClient client, List<X509Certificate> trusted)
      throws IOException, InterruptedException, CommandFailedException {
    KeywellDocumentSigner signer = signerWithTimestamps(client);
    BaselineLevel level = options.level();
    return level == BaselineLevel.LT || level == BaselineLevel.LTA
        ? signer.extendingTo(
            level,
            ValidationSources.trusting(trusted.isEmpty() ? TrustedRoots.toldBy(client) : trusted))
        : signer;
  }

  /** Without them if there is no authority, and no level demands one. */
  private KeywellDocumentSigner signerWithTimestamps(KeywellClient client)
      throws IOException, InterruptedException, CommandFailedException {
    if (options.isWithoutTimestamp()) {
      return new KeywellDocumentSigner(client);
    }
    if (!options.timestampAuthorities().isEmpty()) {
      return new KeywellDocumentSigner(
          client, options.timestampAuthorities().stream().map(TimestampAuthority::new).toList());
    }
    if (client.timeStampChainPem().isPresent()) {
      return KeywellDocumentSigner.withTimestampsOfTheService(client);
    }
    if (options.level() != null) {
      throw new CommandFailedException(
          "the service makes no time stamps for you, as level %s needs; --tsa names an authority"
              .formatted(options.level()));
    }
    return new KeywellDocumentSigner(client);
  }

  private DocumentSignRequest request(Document content, DocumentFormat format) throws IOException {
    Long deadlineMillis = key.deadlineMillis();
    return DocumentSignRequest.by(signer.signer())
        .requestId(requestId)
        .document(new DocumentToSign(format, List.of(content), options.visible().signature()))
        .digest(key.digest())
        .keySpec(key.keySpec())
        .signatureAlgorithm(key.signatureAlgorithm())
        .profile(key.profile())
        .deadline(deadlineMillis == null ? null : Duration.ofMillis(deadlineMillis))
        .build();
  }

  /**
   * A signed document.
   *
   * @param trusted anchors that the user gives; if none, the root from the service's answer
   * @param shortfall why it is below the requested level, and at which
   */
  private record Signed(
      Path file,
      Document content,
      DocumentFormat format,
      Digest digest,
      List<X509Certificate> trusted,
      SignedDocuments signed,
      @Nullable String shortfall)
      implements Done {

    @Override
    public String requestId() {
      return signed.answer().requestId();
    }

    @Override
    public List<byte[]> digests() {
      return signed.digests();
    }

    @Override
    public byte[] certificate() {
      return signed.answer().certificateChain().getFirst();
    }

    @Override
    public List<byte[]> results() {
      return List.of(signed.document().content());
    }

    @Override
    public String summary(List<Path> written) {
      return """
      REQUEST_ID=%s
      FILE=%s
      FORM=%s
      SIGNATURE_ALGORITHM=%s
      SIGNED_FILE=%s
      """
          .formatted(
              requestId(),
              file.toAbsolutePath(),
              format,
              signed.answer().signatureAlgorithm(),
              written.getFirst().toAbsolutePath());
    }

    @Override
    public void report(PrintWriter out, List<Path> written) {
      out.println("Signed " + file);
      out.println("  document   " + written.getFirst());
      KeyLines.print(
          out,
          signed.answer().requestId(),
          signed.answer().signatureAlgorithm() + " with " + digest,
          signed.answer().preGeneratedKeyPair());
      out.println();
      DocumentTimes.print(out, signed.times());
    }

    @Override
    public void verify(PrintWriter out) throws CommandFailedException {
      VerifiedDocument verified =
          DocumentVerification.trusting(anchors())
              .verify(signed.document(), format.detached() ? List.of(content) : List.of());
      out.println();
      Verdict.print(out, verified);
      if (trusted.isEmpty()) {
        out.println("  trusting the root that the service answered (--root FILE trusts another)");
      }
      Verdict.requirePassed(out, verified, signed.certificateChain().getFirst());
      if (shortfall != null) {
        throw new CommandFailedException(shortfall);
      }
    }

    private List<X509Certificate> anchors() {
      return trusted.isEmpty() ? List.of(signed.certificateChain().getLast()) : trusted;
    }
  }
}
