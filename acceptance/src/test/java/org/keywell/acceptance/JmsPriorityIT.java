package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;

/** In one queue, senders choose their place; a queue of its own keeps a caller's requests apart. */
@Timeout(180)
final class JmsPriorityIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int BACKLOG = 200;

  /** As any other queue of the broker. */
  private static final String URGENT = ArtemisBroker.SECRET;

  @TempDir Path home;
  @TempDir Path files;

  @Test
  void inOneQueueTheHigherPriorityIsFirst() throws Exception {
    assertThat(signedBefore(ArtemisBroker.REQUESTS)).isGreaterThan(BACKLOG * 9 / 10);
  }

  @Test
  void aQueueOfItsOwnIsNotOvertaken() throws Exception {
    assertThat(signedBefore(URGENT)).isLessThan(BACKLOG / 2);
  }

  /** Returns how many of the backlog, all with priority 9, came before a request with 0. */
  private long signedBefore(String queue) throws Exception {
    UUID mine = UUID.randomUUID();
    try (Site site = Site.create(home);
        ArtemisBroker broker = ArtemisBroker.start(files.resolve("broker"));
        JmsClient other = JmsClient.artemis(broker.port(), ArtemisBroker.OTHER);
        JmsClient portal = JmsClient.artemis(broker.port(), ArtemisBroker.PORTAL)) {
      site.stock(SPEC, BACKLOG + 1);
      send(portal, queue, 0, mine, ArtemisBroker.PORTAL);
      for (int i = 0; i < BACKLOG; i++) {
        send(other, ArtemisBroker.REQUESTS, 9, UUID.randomUUID(), ArtemisBroker.OTHER);
      }
      Map<String, String> jms = new HashMap<>(ArtemisBroker.settings(broker.port(), files));
      Path protection =
          Files.writeString(
              files.resolve("protection.yaml"),
              """
              protection:
                queues:
                  - {name: %s, requests: none, answers: none, consumers: 1}
                  - {name: %s, requests: none, answers: none, callers: [portal], consumers: 1}
              """
                  .formatted(ArtemisBroker.REQUESTS, URGENT));
      Files.setPosixFilePermissions(protection, PosixFilePermissions.fromString("rw-------"));
      jms.put("keywell.jms.protection-file", protection.toString());
      try (RunningKeywell _ =
          RunningKeywell.start(site.settings(Settings.pool(SPEC, BACKLOG + 1), jms))) {
        for (int i = 0; i < BACKLOG; i++) {
          Objects.requireNonNull(other.next(60_000), "no answer came");
        }
        Objects.requireNonNull(portal.next(60_000), "no answer came");
      }
      return site.sql()
          .count(
              """
              SELECT count(*) FROM sign_request WHERE request_received <
                (SELECT request_received FROM sign_request WHERE request_id = '%s')
              """
                  .formatted(mine));
    }
  }

  private static void send(JmsClient client, String queue, int priority, UUID id, String replies)
      throws Exception {
    var context = client.context();
    var message = context.createTextMessage(SignBody.of("a").keySpec(SPEC).requestId(id).json());
    message.setJMSReplyTo(context.createQueue(ArtemisBroker.REPLIES + replies));
    var _ =
        context.createProducer().setPriority(priority).send(context.createQueue(queue), message);
  }
}
