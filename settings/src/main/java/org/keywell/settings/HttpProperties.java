package org.keywell.settings;

import static org.keywell.settings.Bounds.require;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code keywell.http.*}.
 *
 * @param maxConnections connections that are open at the same time, 10 to 100,000
 * @param headTime from the accept, or from the first byte of a further request, to the end of the
 *     request's head; includes the TLS handshake
 * @param bodyTime from the end of the head to the end of the body
 * @param answerTime from an answer's first byte to its last; not for events, which have no last one
 * @param drain how long a stop continues to answer before it closes connections
 */
public record HttpProperties(
    @DefaultValue("1000") int maxConnections,
    @DefaultValue("10s") Duration headTime,
    @DefaultValue("10s") Duration bodyTime,
    @DefaultValue("30s") Duration answerTime,
    @DefaultValue("1s") Duration drain) {

  public HttpProperties {
    require("keywell.http.max-connections", maxConnections, 10, 100_000);
    require("keywell.http.head-time", headTime, "1ns", "10m");
    require("keywell.http.body-time", bodyTime, "1ns", "10m");
    require("keywell.http.answer-time", answerTime, "1ns", "10m");
    require("keywell.http.drain", drain, "0", "60s");
  }
}
