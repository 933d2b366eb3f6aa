package org.keywell.dss;

/**
 * Says how a document is more than can be read. Parsers give streams of a PDF all the memory that
 * they ask for, and a few kilobytes can unpack to gigabytes; that memory is free again once the
 * parser has ended.
 */
final class Excess {
  private Excess() {}

  /** Returns the reason, in words for the owner of the document. */
  static String of(VirtualMachineError end) {
    return end instanceof OutOfMemoryError
        ? "it does not fit into this program's memory, as it is or unpacked"
        : "it is nested too deeply";
  }
}
