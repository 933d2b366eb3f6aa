package org.keywell.acceptance.running;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.keywell.testkit.OpenSsl;

/** Protected messages as openssl makes and reads them; {@code NAME.pem} and {@code NAME.key}. */
public final class CmsMessages {

  private static final String OAEP = "-keyopt rsa_padding_mode:oaep -keyopt rsa_oaep_md:sha256";

  private final Path directory;
  private final OpenSsl openssl;

  public CmsMessages(Path directory) {
    this.directory = directory;
    this.openssl = new OpenSsl(directory);
  }

  /** Header and body, as they are protected. */
  public static byte[] entity(String id, Instant date, String to, String replyTo, String json) {
    return """
    Message-ID: <%s>
    Date: %s
    To: %s
    Reply-To: %s
    Content-Type: application/json

    """
        .formatted(id, date, to, replyTo)
        .replace("\n", "\r\n")
        .concat(json)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Makes a certificate of its own for the encryption of keys. */
  public void receiver(String name) throws IOException, InterruptedException {
    openssl.run(
        ("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=%1$s -keyout %1$s.key -out %1$s.pem"
                + " -addext keyUsage=critical,keyEncipherment")
            .formatted(name)
            .split(" "));
  }

  public Path certificate(String name) {
    return directory.resolve(name + ".pem");
  }

  /** Puts a name's key and certificate into a key store of PKCS #12. */
  public Path keyStore(String name, Path store, String password)
      throws IOException, InterruptedException {
    openssl.run(
        "pkcs12 -export -in %1$s.pem -inkey %1$s.key -out %2$s -passout pass:%3$s"
            .formatted(name, store, password)
            .split(" "));
    return store;
  }

  public byte[] sign(byte[] entity, String signer) throws IOException, InterruptedException {
    return convert(
        entity,
        "-sign -nodetach -md sha512 -outform DER -signer %1$s.pem -inkey %1$s.key"
            .formatted(signer));
  }

  public byte[] encrypt(byte[] content, String recipient) throws IOException, InterruptedException {
    return convert(
        content, "-encrypt -aes-256-gcm -outform DER -recip %s.pem %s".formatted(recipient, OAEP));
  }

  public byte[] decrypt(byte[] message, String recipient) throws IOException, InterruptedException {
    return convert(
        message, "-decrypt -inform DER -recip %1$s.pem -inkey %1$s.key".formatted(recipient));
  }

  /** Returns what was signed by a certificate of the authority. */
  public byte[] verify(byte[] message, String authority) throws IOException, InterruptedException {
    return convert(message, "-verify -inform DER -purpose any -CAfile %s.pem".formatted(authority));
  }

  private byte[] convert(byte[] content, String options) throws IOException, InterruptedException {
    Path in = Files.write(directory.resolve("cms.in"), content);
    Path out = directory.resolve("cms.out");
    Files.deleteIfExists(out);
    List<String> arguments = new ArrayList<>(List.of("cms", "-binary", "-in", in.toString()));
    arguments.addAll(List.of("-out", out.toString()));
    arguments.addAll(List.of(options.split(" ")));
    openssl.run(arguments.toArray(String[]::new));
    return Files.readAllBytes(out);
  }
}
