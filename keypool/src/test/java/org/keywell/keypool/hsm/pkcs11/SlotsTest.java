package org.keywell.keypool.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

final class SlotsTest {

  /** As a network HSM's client does while its device cannot be reached. */
  @Test
  void aModuleWithoutAnyTokenIsUnavailableRatherThanNotBootstrapped() throws Exception {
    FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_LONG, JAVA_BYTE, ADDRESS, ADDRESS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment list = arena.allocate(CkFunction.LIST_BYTES, 8);
      list.set(
          ADDRESS,
          CkFunction.C_GET_SLOT_LIST.offset(),
          Linker.nativeLinker()
              .upcallStub(
                  MethodHandles.lookup()
                      .findStatic(SlotsTest.class, "noSlots", descriptor.toMethodType()),
                  descriptor,
                  arena));

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> new Slots(new Functions(list)).require("keywell"))
          .withMessage("the module shows no slot with a token in it")
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.UNAVAILABLE))
          .satisfies(e -> assertThat(e.returnValue()).isEqualTo(0xE0));
    }
  }

  @SuppressWarnings("unused") // called from native code
  static long noSlots(byte tokenPresent, MemorySegment slots, MemorySegment count) {
    count.reinterpret(Long.BYTES).set(JAVA_LONG, 0, 0);
    return 0;
  }
}
