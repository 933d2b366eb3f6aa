package org.keywell.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

/**
 * The memory that a faulty module shares with its controllers: the {@code struct control} of its
 * source. Thread-safe.
 */
final class ControlFile {

  /** The words of the file's header, by position. The first four count commands. */
  enum Word {
    FORGET_SESSIONS(0),
    FAIL_OVER(1),
    FORGET_OBJECTS(2),
    LOG_OUT(3),
    GONE(4),
    FROZEN(5),
    FINALIZED_IN_USE(6);

    private final long place;

    Word(long place) {
      this.place = place;
    }
  }

  /** The words of a function's rule, by position. */
  private enum Rule {
    RETURNS(0),
    DELAY_MILLIS(1),
    HANGS(2),
    FORGETS_SESSION(3),
    LATE(4),
    AFTER(5),
    EVERY(6),
    TIMES(7),
    SEEN(8),
    CALLS(9),
    FAULTS(10),
    CORRUPTS(11),
    PER_THOUSAND(12),
    KEEPS_OPERATION(13);

    private final long place;

    Rule(long place) {
      this.place = place;
    }
  }

  private static final long WORDS_OF_HEAD = 16;
  private static final long WORDS_OF_RULE = 16;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final MemorySegment memory;

  private ControlFile(MemorySegment memory) {
    this.memory = memory;
  }

  /** Maps the file; creates it, without faults, if it is missing. */
  static ControlFile open(Path file, int functions) throws IOException {
    long words = WORDS_OF_HEAD + WORDS_OF_RULE * functions;
    try (FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE)) {
      return new ControlFile(
          channel.map(MapMode.READ_WRITE, 0, words * Long.BYTES, Arena.ofAuto()));
    }
  }

  long get(Word word) {
    return (long) LONG.getVolatile(memory, offset(word));
  }

  void set(Word word, long value) {
    LONG.setVolatile(memory, offset(word), value);
  }

  void increment(Word word) {
    var _ = (long) LONG.getAndAdd(memory, offset(word), 1L);
  }

  /** Replaces the fault of a function. */
  void set(int function, Fault fault) {
    clear(function);
    set(function, Rule.RETURNS, fault.returnValue());
    set(function, Rule.DELAY_MILLIS, fault.delay().toMillis());
    set(function, Rule.HANGS, fault.hangs() ? 1 : 0);
    set(function, Rule.FORGETS_SESSION, fault.forgetsSession() ? 1 : 0);
    set(function, Rule.LATE, fault.late() ? 1 : 0);
    set(function, Rule.AFTER, fault.after());
    set(function, Rule.EVERY, fault.every());
    set(function, Rule.CORRUPTS, fault.corrupts() ? 1 : 0);
    set(function, Rule.PER_THOUSAND, fault.perThousand());
    set(function, Rule.KEEPS_OPERATION, fault.keepsOperation() ? 1 : 0);
    set(function, Rule.SEEN, 0);
    // Last: it activates the rest.
    set(function, Rule.TIMES, fault.times());
  }

  /** Clears a function's fault; its hanging calls resume. */
  void clear(int function) {
    set(function, Rule.TIMES, 0);
    set(function, Rule.HANGS, 0);
  }

  long calls(int function) {
    return (long) LONG.getVolatile(memory, offset(function, Rule.CALLS));
  }

  long faults(int function) {
    return (long) LONG.getVolatile(memory, offset(function, Rule.FAULTS));
  }

  private void set(int function, Rule rule, long value) {
    LONG.setVolatile(memory, offset(function, rule), value);
  }

  private static long offset(Word word) {
    return word.place * Long.BYTES;
  }

  private static long offset(int function, Rule rule) {
    return (WORDS_OF_HEAD + WORDS_OF_RULE * function + rule.place) * Long.BYTES;
  }
}
