package org.keywell.bench.parts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.keywell.bench.raw.BindingCycle;
import org.keywell.bench.raw.CycleToken;
import org.keywell.bench.raw.Kind;
import org.keywell.bench.raw.RawCycle;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;

/**
 * Unwrap, sign and destroy by the pool's binding, and by a C program that makes the same calls to
 * the same module.
 */
public final class BindingPart implements Part {

  private static final Goal GOAL = Goal.of(0.95, 0.98);

  /** About two seconds per measurement, with SoftHSM. */
  private static final int KEYS = 2_000;

  private static final int WARM_UP = 3_000;

  private final HsmSettings settings;
  private final Map<String, String> environment;
  private final Path work;
  private final int keys;
  private final int warmUp;

  /**
   * @param settings the HSM
   * @param environment see {@link CycleToken#open}
   * @param work a folder for the C program
   */
  public BindingPart(HsmSettings settings, Map<String, String> environment, Path work) {
    this(settings, environment, work, KEYS, WARM_UP);
  }

  /**
   * @param keys per measurement
   * @param warmUp keys before the first measurement
   */
  BindingPart(
      HsmSettings settings, Map<String, String> environment, Path work, int keys, int warmUp) {
    this.settings = settings;
    this.environment = environment;
    this.work = work;
    this.keys = keys;
    this.warmUp = warmUp;
  }

  @Override
  public PartResult measure(int rounds) throws IOException, InterruptedException {
    try (CycleToken token = CycleToken.open(settings, environment)) {
      RawCycle raw = RawCycle.compiled(token, KeySpec.RSA_2048, work);
      List<Pair> pairs =
          List.of(
              new Pair(token, raw, KeySpec.RSA_2048, 1, GOAL),
              new Pair(token, raw, KeySpec.RSA_2048, 2, GOAL),
              new Pair(token, raw, KeySpec.EC_P256, 2, Goal.NONE));
      for (Pair pair : pairs) {
        pair.warmUp(warmUp);
      }
      for (int round = 0; round < rounds; round++) {
        for (Pair pair : pairs) {
          pair.measure(round, keys);
        }
      }
      return new PartResult(
          pairs.stream().map(Pair::ratio).toList(),
          pairs.stream().flatMap(pair -> pair.readings().stream()).toList());
    } catch (HsmException e) {
      throw new IOException("the HSM cannot be measured: " + e.getMessage(), e);
    }
  }

  private static final class Pair {
    private final BindingCycle binding;
    private final RawCycle raw;
    private final String what;
    private final int threads;
    private final Goal goal;
    private final List<Double> bindingRates = new ArrayList<>();
    private final List<Double> rawRates = new ArrayList<>();

    Pair(CycleToken token, RawCycle raw, KeySpec spec, int threads, Goal goal) {
      this.binding = new BindingCycle(token, spec);
      this.raw = raw.with(spec);
      this.what = spec.label() + (threads == 1 ? ", 1 thread" : ", " + threads + " threads");
      this.threads = threads;
      this.goal = goal;
    }

    void warmUp(int keys) throws IOException, InterruptedException {
      double _ = binding.perSecond(Kind.UNWRAP_SIGN_DESTROY, threads, keys);
    }

    /**
     * Measures both in alternating order, since the first one affects the machine for the second.
     */
    void measure(int round, int keys) throws IOException, InterruptedException {
      if (round % 2 == 0) {
        rawRates.add(raw.perSecond(Kind.UNWRAP_SIGN_DESTROY, threads, keys));
      }
      bindingRates.add(binding.perSecond(Kind.UNWRAP_SIGN_DESTROY, threads, keys));
      if (round % 2 != 0) {
        rawRates.add(raw.perSecond(Kind.UNWRAP_SIGN_DESTROY, threads, keys));
      }
    }

    Ratio ratio() {
      return Ratio.of("binding / C, " + what, bindingRates, rawRates, rate -> rate, goal);
    }

    List<Reading> readings() {
      return List.of(
          Reading.of("binding, " + what, Medians.of(bindingRates, rate -> rate), "keys/s"),
          Reading.of("C program, " + what, Medians.of(rawRates, rate -> rate), "keys/s"));
    }
  }
}
