package org.keywell.service.record;

/** Is told of the record writer's transactions, on its thread. Must not block or throw. */
public interface RecordListener {

  /** Listens to nothing. */
  RecordListener NONE =
      new RecordListener() {
        @Override
        public void committed(int entries, long nanos) {}

        @Override
        public void failed(int entries, long nanos) {}

        @Override
        public void closedUnrecorded(int requests) {}
      };

  /** A transaction was committed. */
  void committed(int entries, long nanos);

  /** A transaction failed; its entries may be tried again one by one. */
  void failed(int entries, long nanos);

  /**
   * Requests that stood as received, and that nobody worked on, are closed as failed. Told after
   * the commit.
   */
  void closedUnrecorded(int requests);
}
