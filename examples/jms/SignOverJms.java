import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Has a text signed over the broker of {@code ./keywell up --jms}, which prints how to run this:
 * its argument is the file with the password of the broker's user for trying out.
 */
public final class SignOverJms {

  private static final String USER = "trial";

  private SignOverJms() {}

  public static void main(String[] arguments) throws Exception {
    String password = Files.readString(Path.of(arguments[0])).strip();
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest("hello".getBytes(StandardCharsets.UTF_8));
    // The id makes a request that is sent or delivered twice one request.
    String body =
        """
        {"requestId": "%s", "digestAlgorithm": "SHA-256", "digest": "%s",
         "signer": {"commonName": "Astrid Exempel"}}
        """
            .formatted(UUID.randomUUID(), Base64.getEncoder().encodeToString(digest));
    try (ActiveMQConnectionFactory factory =
            new ActiveMQConnectionFactory("tcp://127.0.0.1:61616");
        JMSContext context = factory.createContext(USER, password, JMSContext.AUTO_ACKNOWLEDGE)) {
      TextMessage request = context.createTextMessage(body);
      request.setJMSReplyTo(context.createQueue("keywell.replies." + USER));
      context.createProducer().send(context.createQueue("keywell.requests"), request);
      // Others of this user may read from the queue as well: the correlation id tells answers
      // apart.
      Message answer =
          context
              .createConsumer(
                  context.createQueue("keywell.replies." + USER),
                  "JMSCorrelationID = '" + request.getJMSMessageID() + "'")
              .receive(30_000);
      System.out.println(answer == null ? "no answer within 30 s" : answer.getBody(String.class));
    }
  }
}
