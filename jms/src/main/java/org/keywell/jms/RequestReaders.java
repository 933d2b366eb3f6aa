package org.keywell.jms;

import java.util.List;
import java.util.Set;
import org.keywell.settings.JmsProtection;

/** Makes what reads the messages of a queue, by the protection that they have. */
final class RequestReaders {

  private final RequestListener.Core core;
  private final ConnectionSenders connections;
  private final ReplyRule replies;
  private final BodyReader bodies;
  private final Recipients recipients;

  RequestReaders(
      RequestListener.Core core,
      String replyPrefix,
      int maxBodyBytes,
      List<JmsProtection.Recipient> recipients) {
    this.core = core;
    this.connections = new ConnectionSenders(core.callers());
    this.replies = new ReplyRule(replyPrefix);
    this.bodies = new BodyReader(maxBodyBytes, core.mapper());
    this.recipients = new Recipients(recipients);
  }

  RequestReader of(JmsProtection.Queue queue) {
    AllowedCallers allowed = new AllowedCallers(Set.copyOf(queue.callers()));
    if (queue.requests() == JmsProtection.Quality.NONE) {
      return new MessageReader(connections, allowed, replies, bodies);
    }
    return new ProtectedReader(
        new MessageOpener(queue.requests(), bodies.maxBytes(), core.messageKeys()),
        queue.requests().isSigned() ? new SignedSenders(core.signers()) : null,
        connections,
        allowed,
        new HeaderRule(queue.name(), queue.window(), core.clock()),
        replies,
        new AnswerProtection(
            queue.answers(),
            new Sealers(queue.answers(), queue.messagesPerKey(), core.messageKeys()),
            recipients,
            core.clock()),
        core.seen(),
        Broker::numberOf,
        bodies);
  }
}
