package org.keywell.bench.raw;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;

/** The same calls as in {@link RawCycle}, made through the pool's binding in this process. */
public final class BindingCycle {

  /** The same as in the C program before its clock starts. */
  private static final int WARM_UP = 100;

  /** How long the other threads wait for one that is still unwrapping or has failed. */
  private static final long START_SECONDS = 60;

  private final CycleToken token;
  private final KeySpec spec;
  private final SignatureScheme scheme;
  private final byte[] digest = new byte[DigestAlgorithm.SHA_256.lengthBytes()];

  public BindingCycle(CycleToken token, KeySpec spec) {
    this.token = token;
    this.spec = spec;
    this.scheme = spec.defaultScheme();
  }

  /**
   * Like {@link RawCycle#perSecond}.
   *
   * @throws IOException if the HSM fails
   */
  public double perSecond(Kind kind, int threads, int keys)
      throws IOException, InterruptedException {
    List<WrappedKey> wrapped = token.keys(spec);
    int each = keys / threads;
    CyclicBarrier start = new CyclicBarrier(threads);
    List<Callable<Span>> users = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      users.add(() -> use(wrapped, kind, each, start));
    }
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      List<Future<Span>> running = executor.invokeAll(users);
      Span whole = running.getFirst().get();
      for (Future<Span> span : running) {
        whole = whole.with(span.get());
      }
      return each * threads / whole.seconds();
    } catch (ExecutionException e) {
      throw new IOException("the HSM failed: " + e.getCause(), e);
    }
  }

  /** A period of work, by {@link System#nanoTime}. */
  private record Span(long beganNanos, long endedNanos) {

    Span with(Span other) {
      return new Span(
          beganNanos - other.beganNanos < 0 ? beganNanos : other.beganNanos,
          endedNanos - other.endedNanos > 0 ? endedNanos : other.endedNanos);
    }

    double seconds() {
      return (endedNanos - beganNanos) / 1e9;
    }
  }

  private Span use(List<WrappedKey> wrapped, Kind kind, int count, CyclicBarrier start)
      throws Exception {
    Hsm hsm = token.hsm();
    for (int i = 0; i < WARM_UP; i++) {
      signAndDestroy(hsm, hsm.unwrap(wrapped.get(i % wrapped.size())));
    }
    KeyHandle[] handles = new KeyHandle[kind == Kind.SIGN_DESTROY ? count : 0];
    for (int i = 0; i < handles.length; i++) {
      handles[i] = hsm.unwrap(wrapped.get(i % wrapped.size()));
    }
    int _ = start.await(START_SECONDS, TimeUnit.SECONDS);
    long began = System.nanoTime();
    for (int i = 0; i < count; i++) {
      signAndDestroy(
          hsm, handles.length > 0 ? handles[i] : hsm.unwrap(wrapped.get(i % wrapped.size())));
    }
    return new Span(began, System.nanoTime());
  }

  private void signAndDestroy(Hsm hsm, KeyHandle key) {
    byte[] _ = hsm.sign(key, scheme, DigestAlgorithm.SHA_256, digest);
    if (!hsm.destroy(key).succeeded()) {
      throw new HsmException(HsmException.Reason.UNAVAILABLE, "a key was not destroyed");
    }
  }
}
