package org.keywell.signing.record;

import java.util.ArrayList;
import java.util.List;

/** Entries that share a transaction, each list in order of arrival. */
record Batch(
    List<Entry.Intent> intents, List<Entry.Digests> digests, List<Entry.Outcome> outcomes) {

  static Batch of(List<Entry> entries) {
    List<Entry.Intent> intents = new ArrayList<>();
    List<Entry.Digests> digests = new ArrayList<>(0);
    List<Entry.Outcome> outcomes = new ArrayList<>();
    for (Entry entry : entries) {
      switch (entry) {
        case Entry.Intent intent -> intents.add(intent);
        case Entry.Digests acts -> digests.add(acts);
        case Entry.Outcome outcome -> outcomes.add(outcome);
      }
    }
    return new Batch(intents, digests, outcomes);
  }

  int size() {
    return intents.size() + digests.size() + outcomes.size();
  }
}
