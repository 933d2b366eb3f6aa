package org.keywell.loadgen.messages;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures while something happens.
 *
 * @param answered round trips so far
 * @param broker its process
 */
record Meter(LongAdder answered, long broker) {

  /** What happens while it is measured. */
  interface Window {
    void pass() throws IOException, InterruptedException;
  }

  MessageTrial measure(Window window) throws IOException, InterruptedException {
    long own = ProcessHandle.current().pid();
    double ofClients = processorSeconds(own);
    double ofBroker = processorSeconds(broker);
    long before = answered.sum();
    long began = System.nanoTime();
    window.pass();
    long count = answered.sum() - before;
    double seconds = (System.nanoTime() - began) / 1e9;
    if (count == 0) {
      throw new IOException("nothing was answered");
    }
    return new MessageTrial(
        count, seconds, processorSeconds(own) - ofClients, processorSeconds(broker) - ofBroker);
  }

  /** Returns the processor time of a process; 0 if it has ended. */
  static double processorSeconds(long pid) {
    return ProcessHandle.of(pid)
            .flatMap(process -> process.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos()
        / 1e9;
  }
}
