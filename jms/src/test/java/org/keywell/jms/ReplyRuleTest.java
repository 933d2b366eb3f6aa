package org.keywell.jms;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplyRuleTest {

  private final ReplyRule rule = new ReplyRule("keywell.replies.");

  @ParameterizedTest
  @ValueSource(strings = {"keywell.replies.portal", "0198e1a2-0000-7000-8000-0123456789ab"})
  void aCallersOwnQueueMayHaveItsAnswers(String name) throws Exception {
    assertThat(rule.allowed(StubMessage.queue(name), Samples.PORTAL)).hasValue(name);
  }

  /** The answer is sent with the service's rights, not the sender's. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "DLQ",
        "activemq.management",
        "keywell.requests",
        "keywell.dead-letters",
        "keywell.replies.",
        "keywell.replies.other",
        "keywell.replies.portal2",
        "keywell.replies.portal.",
        "keywell.replies.portal.a",
        "keywell.replies.portal.#",
        "keywell.replies.portal.*",
        "keywell.replies.portal::DLQ",
        "keywell.replies.portal.a?consumersBeforeDispatch=9",
        "keywell.replies.portal.a.b.c.d.e",
        "KEYWELL.replies.portal",
        "0198e1a2-0000-7000-8000-0123456789ab::DLQ",
        "0198E1A2-0000-7000-8000-0123456789AB",
        "temp-queue://DLQ"
      })
  void noOtherMay(String name) throws Exception {
    assertThat(rule.allowed(StubMessage.queue(name), Samples.PORTAL)).isEmpty();
  }

  @Test
  void aTopicMayNot() throws Exception {
    assertThat(rule.allowed(Samples.TOPIC, Samples.PORTAL)).isEmpty();
  }
}
