package org.keywell.kmip.operation;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Who asks, as the door has found out.
 *
 * @param name owns what this caller creates
 * @param mayManage whether it may create objects and use its own
 * @param mayExport whether it may get its keys wrapped under another key
 * @param pace is asked once for each operation; returns the limit that the operation would exceed,
 *     in words for the client
 */
public record KmipCaller(
    String name, boolean mayManage, boolean mayExport, Supplier<Optional<String>> pace) {

  /** As a caller without a limit. */
  public KmipCaller(String name, boolean mayManage, boolean mayExport) {
    this(name, mayManage, mayExport, Optional::empty);
  }
}
