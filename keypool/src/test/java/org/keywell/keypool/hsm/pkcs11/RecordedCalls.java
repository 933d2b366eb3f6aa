package org.keywell.keypool.hsm.pkcs11;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers each call that it is told of. */
final class RecordedCalls implements CallListener {

  record Call(CkFunction function, long returnValue, long nanos) {}

  private final List<Call> calls = new CopyOnWriteArrayList<>();

  @Override
  public void returned(CkFunction function, long returnValue, long beganNanos, long endedNanos) {
    calls.add(new Call(function, returnValue, endedNanos - beganNanos));
  }

  List<Call> calls() {
    return List.copyOf(calls);
  }

  List<CkFunction> functions() {
    return calls.stream().map(Call::function).toList();
  }

  void clear() {
    calls.clear();
  }
}
