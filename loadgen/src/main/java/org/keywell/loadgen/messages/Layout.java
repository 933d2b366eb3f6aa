package org.keywell.loadgen.messages;

/** The queues that requests go through, and whether messages survive the broker's end. */
public enum Layout {
  ONE("one", "One queue, persistent", true),
  TEN("ten", "Ten queues, persistent", true),
  DEDICATED("dedicated", "A queue for each client, non-persistent", false);

  private static final int TEN_QUEUES = 10;

  private final String label;
  private final String title;
  private final boolean persistent;

  Layout(String label, String title, boolean persistent) {
    this.label = label;
    this.title = title;
    this.persistent = persistent;
  }

  /** Returns its name as an option's value. */
  @Override
  public String toString() {
    return label;
  }

  String title() {
    return title;
  }

  boolean isPersistent() {
    return persistent;
  }

  /** Returns how many queues this many clients send requests to. */
  int queues(int clients) {
    return switch (this) {
      case ONE -> 1;
      case TEN -> TEN_QUEUES;
      case DEDICATED -> clients;
    };
  }

  /** Returns how many responders there are: as many as clients, and at least one at each queue. */
  int responders(int clients) {
    return Math.max(clients, queues(clients));
  }
}
