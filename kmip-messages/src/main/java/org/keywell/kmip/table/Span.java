package org.keywell.kmip.table;

import org.jspecify.annotations.Nullable;

/**
 * The versions that have something.
 *
 * @param since the first
 * @param until the last, null if the newest still has it
 */
public record Span(ProtocolVersion since, @Nullable ProtocolVersion until) {

  public boolean includes(ProtocolVersion version) {
    return version.isAtLeast(since) && (until == null || until.isAtLeast(version));
  }

  static Span parse(String since, String until) {
    return new Span(
        ProtocolVersion.parse(since), until.equals("-") ? null : ProtocolVersion.parse(until));
  }
}
