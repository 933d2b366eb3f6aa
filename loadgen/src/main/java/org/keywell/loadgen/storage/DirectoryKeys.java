package org.keywell.loadgen.storage;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * Linux's encryption of directories, by its system calls (fscrypt, policies of version 2; {@code
 * linux/fscrypt.h} has the layouts). A key belongs to the file system: while it has the key, every
 * process that may read a file can do so.
 */
final class DirectoryKeys {
  static final int KEY_BYTES = 64;
  private static final int IDENTIFIER_BYTES = 16;

  private static final long SET_POLICY = 0x800c6613L;
  private static final long ADD_KEY = 0xc0506617L;
  private static final long REMOVE_KEY = 0xc0406618L;

  /** AES-256-XTS for contents, AES-256-CTS for names, padded to 32 bytes. */
  private static final byte[] POLICY = {2, 1, 4, 3, 0, 0, 0, 0};

  /** What a key is named by, at the start of a request, and where the identifier is. */
  private static final int BY_IDENTIFIER = 2;

  private static final long IDENTIFIER = 8;
  private static final long KEY_SIZE = 40;
  private static final long KEY = 80;
  private static final long FILES_BUSY = 40;
  private static final long REMOVAL_BYTES = 64;

  private static final int DIRECTORY_CLOSED_ON_EXEC = 0x90000;
  private static final int ENOTTY = 25;
  private static final int EOPNOTSUPP = 95;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
  private static final MethodHandle OPEN = function("open", ADDRESS, JAVA_INT);
  private static final MethodHandle IOCTL = function("ioctl", JAVA_INT, JAVA_LONG, ADDRESS);
  private static final MethodHandle CLOSE = function("close", JAVA_INT);

  private DirectoryKeys() {}

  private static MethodHandle function(String name, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    // Both functions with variable arguments have two that are fixed.
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name),
        FunctionDescriptor.of(JAVA_INT, arguments),
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(Math.min(2, arguments.length)));
  }

  /**
   * Gives a key to a file system, whose directories with this key can be read from here on.
   *
   * @return the key's identifier
   * @throws IOException if the kernel cannot do that; the message says why
   */
  static byte[] add(Path fileSystem, byte[] key) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(KEY + key.length, Long.BYTES);
      request.set(JAVA_INT, 0, BY_IDENTIFIER);
      request.set(JAVA_INT, KEY_SIZE, key.length);
      MemorySegment raw = request.asSlice(KEY).copyFrom(MemorySegment.ofArray(key));
      try {
        call(fileSystem, ADD_KEY, request);
      } finally {
        raw.fill((byte) 0);
      }
      return request.asSlice(IDENTIFIER, IDENTIFIER_BYTES).toArray(JAVA_BYTE);
    }
  }

  /** Encrypts an empty directory from here on, by a key that its file system has. */
  static void encrypt(Path directory, byte[] identifier) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(POLICY.length + IDENTIFIER_BYTES, Long.BYTES);
      request.copyFrom(MemorySegment.ofArray(POLICY));
      request.asSlice(POLICY.length).copyFrom(MemorySegment.ofArray(identifier));
      call(directory, SET_POLICY, request);
    }
  }

  /**
   * Takes a key from a file system. Files that are open can still be read.
   *
   * @return whether no file with this key is open
   */
  static boolean remove(Path fileSystem, byte[] identifier) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REMOVAL_BYTES, Long.BYTES);
      request.set(JAVA_INT, 0, BY_IDENTIFIER);
      request.asSlice(IDENTIFIER).copyFrom(MemorySegment.ofArray(identifier));
      call(fileSystem, REMOVE_KEY, request);
      return request.get(JAVA_INT, FILES_BUSY) == 0;
    }
  }

  private static void call(Path directory, long function, MemorySegment request)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      MemorySegment name = arena.allocateFrom(directory.toString());
      int file = (int) OPEN.invokeExact(state, name, DIRECTORY_CLOSED_ON_EXEC);
      require(file, state, directory);
      try {
        require((int) IOCTL.invokeExact(state, file, function, request), state, directory);
      } finally {
        int _ = (int) CLOSE.invokeExact(state, file);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("C functions throw nothing", e);
    }
  }

  private static void require(int result, MemorySegment state, Path directory) throws IOException {
    if (result < 0) {
      int error = (int) ERRNO.get(state, 0L);
      throw new IOException(
          error == ENOTTY || error == EOPNOTSUPP
              ? "this kernel's ext4 does not encrypt directories (CONFIG_FS_ENCRYPTION)"
              : "the key of %s cannot be set or removed: error %d".formatted(directory, error));
    }
  }
}
