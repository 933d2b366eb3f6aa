package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls C functions that return a {@code CK_RV}. There is one handle per signature rather than per
 * function: as constants of this class they compile to direct calls, and the function's address is
 * an argument.
 */
final class Downcall {
  private static final MethodHandle P = handle(ADDRESS);
  private static final MethodHandle J = handle(JAVA_LONG);
  private static final MethodHandle JJ = handle(JAVA_LONG, JAVA_LONG);
  private static final MethodHandle JP = handle(JAVA_LONG, ADDRESS);
  private static final MethodHandle JJP = handle(JAVA_LONG, JAVA_LONG, ADDRESS);
  private static final MethodHandle BPP = handle(JAVA_BYTE, ADDRESS, ADDRESS);
  private static final MethodHandle JPJ = handle(JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle JPJP = handle(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle JJPJ = handle(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG);
  private static final MethodHandle JJPJP =
      handle(JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle JJPPP = handle(JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS, ADDRESS);
  private static final MethodHandle JPJPP = handle(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle JPPJP = handle(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  private static final MethodHandle JPJJPP =
      handle(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle JPPJPJPP =
      handle(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
  private static final MethodHandle JPJPJPJP =
      handle(JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS);

  private Downcall() {}

  private static MethodHandle handle(MemoryLayout... arguments) {
    return Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(JAVA_LONG, arguments));
  }

  static long call(MemorySegment f, MemorySegment a) {
    try {
      return (long) P.invokeExact(f, a);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a) {
    try {
      return (long) J.invokeExact(f, a);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, long b) {
    try {
      return (long) JJ.invokeExact(f, a, b);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, MemorySegment b) {
    try {
      return (long) JP.invokeExact(f, a, b);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, long b, MemorySegment c) {
    try {
      return (long) JJP.invokeExact(f, a, b, c);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, byte a, MemorySegment b, MemorySegment c) {
    try {
      return (long) BPP.invokeExact(f, a, b, c);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, MemorySegment b, long c) {
    try {
      return (long) JPJ.invokeExact(f, a, b, c);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, MemorySegment b, long c, MemorySegment d) {
    try {
      return (long) JPJP.invokeExact(f, a, b, c, d);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, long b, MemorySegment c, long d) {
    try {
      return (long) JJPJ.invokeExact(f, a, b, c, d);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  static long call(MemorySegment f, long a, long b, MemorySegment c, long d, MemorySegment e) {
    try {
      return (long) JJPJP.invokeExact(f, a, b, c, d, e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f, long a, long b, MemorySegment c, MemorySegment d, MemorySegment e) {
    try {
      return (long) JJPPP.invokeExact(f, a, b, c, d, e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f, long a, MemorySegment b, long c, MemorySegment d, MemorySegment e) {
    try {
      return (long) JPJPP.invokeExact(f, a, b, c, d, e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f, long a, MemorySegment b, MemorySegment c, long d, MemorySegment e) {
    try {
      return (long) JPPJP.invokeExact(f, a, b, c, d, e);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f, long a, MemorySegment b, long c, long d, MemorySegment e, MemorySegment g) {
    try {
      return (long) JPJJPP.invokeExact(f, a, b, c, d, e, g);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f,
      long a,
      MemorySegment b,
      MemorySegment c,
      long d,
      MemorySegment e,
      long g,
      MemorySegment h,
      MemorySegment i) {
    try {
      return (long) JPPJPJPP.invokeExact(f, a, b, c, d, e, g, h, i);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  static long call(
      MemorySegment f,
      long a,
      MemorySegment b,
      long c,
      MemorySegment d,
      long e,
      MemorySegment g,
      long h,
      MemorySegment i) {
    try {
      return (long) JPJPJPJP.invokeExact(f, a, b, c, d, e, g, h, i);
    } catch (Throwable t) {
      throw unexpected(t);
    }
  }

  /** C functions throw nothing: this is an error of the JVM or of this class. */
  private static RuntimeException unexpected(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return new IllegalStateException("call of a PKCS#11 function failed", thrown);
  }
}
