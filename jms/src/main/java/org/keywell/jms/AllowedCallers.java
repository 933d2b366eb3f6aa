package org.keywell.jms;

import java.util.Set;

/**
 * Whose requests a queue takes.
 *
 * @param names callers' names; empty: of all callers
 */
record AllowedCallers(Set<String> names) {

  AllowedCallers {
    names = Set.copyOf(names);
  }

  /** Returns the sender, or else what becomes of a message of one who may not send here. */
  Sender only(Sender sender) {
    return sender instanceof Sender.Known known
            && !names.isEmpty()
            && !names.contains(known.caller().name())
        ? new Sender.None(
            new Incoming.Poison(
                Fault.CALLER_NOT_ALLOWED,
                known.name(),
                "the queue's callers in keywell.jms.protection-file do not include the sender",
                null))
        : sender;
  }
}
