package org.keywell.loadgen.speed;

import java.util.List;
import java.util.Optional;
import org.keywell.loadgen.text.Resource;

/**
 * A published figure: QuintessenceLabs, TSF Key Management Server and qClient 100, "Performance
 * Measurement and Optimisation Tips", servers in virtual machines of a laptop.
 *
 * @param operation see {@link SpeedOperation#published}
 * @param fresh operations a minute with a new connection for each
 * @param kept the same with kept connections
 * @param twoFresh as {@code fresh}, with two servers behind a load balancer
 * @param twoKept as {@code kept}, with two servers
 */
record PublishedRate(
    String operation, int clients, double fresh, double kept, double twoFresh, double twoKept) {
  private static final String TABLE = "/org/keywell/loadgen/speed/operations-per-minute.csv";

  /** Returns all of them. */
  static List<PublishedRate> all() {
    return Resource.text(TABLE).lines().skip(1).map(PublishedRate::of).toList();
  }

  /** Returns that of an operation, if there is one for as many clients. */
  static Optional<PublishedRate> of(SpeedOperation operation, int clients) {
    return all().stream()
        .filter(one -> one.operation.equals(operation.published()) && one.clients == clients)
        .findFirst();
  }

  private static PublishedRate of(String line) {
    String[] cells = line.split(",", -1);
    return new PublishedRate(
        cells[0],
        Integer.parseInt(cells[1]),
        Double.parseDouble(cells[2]),
        Double.parseDouble(cells[3]),
        Double.parseDouble(cells[4]),
        Double.parseDouble(cells[5]));
  }
}
