import jakarta.jms.BytesMessage;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.apache.qpid.jms.JmsConnectionFactory;
import org.keywell.messageclient.MessageClient;
import org.keywell.messageclient.ProtectedRequest;
import org.keywell.messageclient.TrustedSigner;
import org.keywell.protection.KeySigner;
import org.keywell.protection.Opener;
import org.keywell.protection.Sealer;
import org.keywell.protection.SignatureScheme;

/**
 * Has a file's digest signed over a message broker: the request and its answer are signed (quality
 * {@code integrity}), so that nobody on the way can change them. See README.md beside this file.
 */
public final class SignOverBroker {

  private static final int MOST_BYTES = 1_000_000;
  private static final long PATIENCE_MILLIS = 30_000;

  private SignOverBroker() {}

  /** Arguments: broker, user, request queue, reply queue, key store, authority, service, file. */
  public static void main(String[] arguments) throws Exception {
    String requests = arguments[2];
    String replies = arguments[3];
    char[] password = System.getenv("KEYSTORE_PASSWORD").toCharArray();
    KeyStore store = KeyStore.getInstance(Path.of(arguments[4]).toFile(), password);
    String alias = store.aliases().nextElement();
    PrivateKey key = (PrivateKey) store.getKey(alias, password);
    List<X509Certificate> chain =
        Stream.of(store.getCertificateChain(alias)).map(X509Certificate.class::cast).toList();
    MessageClient client =
        new MessageClient(
            Sealer.integrity(
                new KeySigner(
                    key.getAlgorithm().equals("EC")
                        ? SignatureScheme.ECDSA
                        : SignatureScheme.RSASSA_PSS,
                    key,
                    chain)),
            Opener.integrity(MOST_BYTES),
            new TrustedSigner(certificate(Path.of(arguments[5])), new X500Principal(arguments[6])),
            requests,
            replies,
            Clock.systemUTC());

    // Kept by a real application: asked again with the same id, the service signs only once.
    UUID requestId = UUID.randomUUID();
    byte[] document = Files.readAllBytes(Path.of(arguments[7]));
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(document);
    String json =
        """
        {"requestId": "%s", "digestAlgorithm": "SHA-256", "digest": "%s", "keySpec": "EC-P256",
         "signer": {"commonName": "Astrid Exempel"}}
        """
            .formatted(requestId, Base64.getEncoder().encodeToString(digest));
    ProtectedRequest request = client.request(json.getBytes(StandardCharsets.UTF_8));

    try (JMSContext broker =
        new JmsConnectionFactory(arguments[0])
            .createContext(arguments[1], System.getenv("BROKER_PASSWORD"))) {
      BytesMessage message = broker.createBytesMessage();
      message.writeBytes(request.message());
      broker.createProducer().send(broker.createQueue(requests), message);
      Message answer =
          broker.createConsumer(broker.createQueue(replies)).receive(PATIENCE_MILLIS);
      if (answer == null) {
        System.err.println("no answer yet; request " + requestId + " may still be signed");
        System.exit(1);
      }
      byte[] opened = client.answer(request.id(), answer.getBody(byte[].class));
      System.out.println(new String(opened, StandardCharsets.UTF_8));
    }
  }

  private static X509Certificate certificate(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      Certificate read = CertificateFactory.getInstance("X.509").generateCertificate(in);
      return (X509Certificate) read;
    }
  }
}
