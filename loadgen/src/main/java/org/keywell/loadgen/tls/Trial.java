package org.keywell.loadgen.tls;

/**
 * What {@code s_time} counted in one run, or in several together.
 *
 * @param bytes read, heads of answers included
 * @param notResumed connections that were to resume a session, and had a new one
 * @param seconds that these connections took
 */
public record Trial(long bytes, long connections, long notResumed, double seconds) {

  Trial plus(Trial other) {
    return new Trial(
        bytes + other.bytes,
        connections + other.connections,
        notResumed + other.notResumed,
        seconds + other.seconds);
  }

  double bytesPerSecond() {
    return bytes / seconds;
  }

  double connectionsPerSecond() {
    return connections / seconds;
  }
}
