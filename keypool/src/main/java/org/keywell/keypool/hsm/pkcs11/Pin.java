package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;
import java.util.function.ToLongBiFunction;

/**
 * A PIN in memory, as UTF-8. {@link #close} zeroes it. It never appears in {@link #toString},
 * messages or logs. Thread-safe.
 */
public final class Pin implements AutoCloseable {
  private static final int MAX_BYTES = 255;
  private static final Set<PosixFilePermission> FOREIGN_READERS =
      Set.of(PosixFilePermission.GROUP_READ, PosixFilePermission.OTHERS_READ);

  private final byte[] utf8;
  private boolean closed;

  private Pin(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * Copies the given characters; zeroing the caller's array remains the caller's task.
   *
   * @throws IllegalArgumentException if the PIN is empty, longer than 255 bytes as UTF-8, or has an
   *     unpaired surrogate
   */
  public static Pin of(char[] characters) {
    byte[] encoded = new byte[4 * characters.length];
    ByteBuffer target = ByteBuffer.wrap(encoded);
    try {
      CoderResult result =
          StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(characters), target, true);
      if (result.isError()) {
        throw new IllegalArgumentException("the PIN is not text");
      }
      return checked(encoded, target.position(), "the PIN");
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /**
   * Reads a file, without the line breaks at its end.
   *
   * @throws IllegalArgumentException if the file cannot be read, is empty, longer than 255 bytes
   *     or, on a POSIX file system, readable by its group or by others; the message names the file
   */
  public static Pin ofFile(Path file) {
    byte[] content;
    try {
      requirePrivate(file);
      if (Files.size(file) > MAX_BYTES + 2) {
        throw new IllegalArgumentException("PIN file " + file + " is longer than a PIN can be");
      }
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read PIN file " + file, e);
    }
    try {
      int length = content.length;
      while (length > 0 && (content[length - 1] == '\n' || content[length - 1] == '\r')) {
        length--;
      }
      return checked(content, length, "PIN file " + file);
    } finally {
      Arrays.fill(content, (byte) 0);
    }
  }

  private static Pin checked(byte[] bytes, int length, String origin) {
    if (length == 0) {
      throw new IllegalArgumentException(origin + " is empty");
    }
    if (length > MAX_BYTES) {
      throw new IllegalArgumentException(origin + " is longer than " + MAX_BYTES + " bytes");
    }
    return new Pin(Arrays.copyOf(bytes, length));
  }

  private static void requirePrivate(Path file) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return; // not a POSIX file system: its access control lists are not checked
    }
    for (PosixFilePermission permission : view.readAttributes().permissions()) {
      if (FOREIGN_READERS.contains(permission)) {
        throw new IllegalArgumentException(
            "PIN file " + file + " is readable by its group or by others; make its mode 0600");
      }
    }
  }

  /**
   * Passes native memory with the PIN, and its length, to a function; then zeroes that memory.
   *
   * @throws IllegalStateException after {@link #close}
   */
  synchronized long handTo(ToLongBiFunction<MemorySegment, Long> function) {
    if (closed) {
      throw new IllegalStateException("the PIN was closed");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocateFrom(JAVA_BYTE, utf8);
      try {
        return function.applyAsLong(copy, (long) utf8.length);
      } finally {
        copy.fill((byte) 0);
      }
    }
  }

  /**
   * Copies it for APIs that take characters, such as JCA's {@code KeyStore}; the caller zeroes it.
   *
   * @throws IllegalStateException after {@link #close}
   */
  public synchronized char[] characters() {
    if (closed) {
      throw new IllegalStateException("the PIN was closed");
    }
    CharBuffer decoded = StandardCharsets.UTF_8.decode(ByteBuffer.wrap(utf8));
    char[] copy = new char[decoded.remaining()];
    decoded.get(copy);
    Arrays.fill(decoded.array(), '\0');
    return copy;
  }

  /**
   * Returns a copy, which the caller closes.
   *
   * @throws IllegalStateException after {@link #close}
   */
  synchronized Pin copy() {
    if (closed) {
      throw new IllegalStateException("the PIN was closed");
    }
    return new Pin(utf8.clone());
  }

  /** Zeroes the PIN. Does nothing the second time. */
  @Override
  public synchronized void close() {
    Arrays.fill(utf8, (byte) 0);
    closed = true;
  }

  /** Reveals nothing about the PIN, not even its length. */
  @Override
  public String toString() {
    return "Pin[***]";
  }
}
