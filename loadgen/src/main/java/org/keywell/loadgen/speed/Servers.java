package org.keywell.loadgen.speed;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;

/** Servers that are alike: connections go to each in turn. Thread-safe. */
final class Servers {
  private final SSLContext context;
  private final List<Integer> ports;
  private final AtomicInteger next = new AtomicInteger();

  Servers(SSLContext context, List<Integer> ports) {
    this.context = context;
    this.ports = List.copyOf(ports);
  }

  KmipClient connect() throws IOException {
    return KmipClient.connect(
        context, ports.get(Math.floorMod(next.getAndIncrement(), ports.size())));
  }
}
