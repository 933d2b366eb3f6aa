package org.keywell.keypool.hsm.timed;

import java.util.Random;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.ForwardingHsm;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.timed.DeviceProfile.OperationTime;

/**
 * A real device, slowed down to the times of a {@link DeviceProfile}, for experiments.
 *
 * <p>Each operation waits for a free lane of the imitated device, in order of arrival, runs on the
 * real device, and returns when its time in the profile is over. It is never faster than the
 * profile; where the real device is slower, the operation holds the lane that long. A failed
 * operation also takes its time.
 *
 * <p>The profile's {@code signing} is a signing as the thesis defines it (section 2.10.4): the
 * signature by the new key, the CA's, and the key's destruction. The CA's does not pass through
 * here. So {@link #sign} reserves the whole time and returns after half of it, as for the first of
 * two signatures; {@link #destroy} of that key returns at its end. Sign, certify and destroy
 * together thus take the profile's time, as long as the real work fits into it. With one lane and
 * one signing thread, the rate is slightly below one signing per profile time: the thread's work
 * between two cycles is added, as with a real device. With more signing threads than lanes, a
 * lane's slots follow each other without a gap.
 *
 * <p>Destroying an unused key costs no time: {@link #destroy} of a key that did not sign, or whose
 * time is over, is as fast as the real device. So are {@link #countLiveKeys}, {@link #probe},
 * {@link #prove} and {@link #reopen}.
 *
 * <p>As thread-safe as the real device. An interrupt does not shorten a wait and keeps its flag, as
 * with a slow device.
 */
public final class TimedHsm implements ForwardingHsm {

  private final Hsm device;
  private final DeviceProfile profile;
  private final RandomGenerator random;
  private final Lanes lanes;
  private final Lanes unwrapLanes;

  /**
   * @param device owned by this: {@link #close} closes it
   */
  public TimedHsm(Hsm device, DeviceProfile profile) {
    this(device, profile, System::nanoTime, Sleeper.SYSTEM, new Random());
  }

  /**
   * @param sleeper waits for {@code nanoClock}
   * @param random thread-safe
   */
  TimedHsm(
      Hsm device,
      DeviceProfile profile,
      LongSupplier nanoClock,
      Sleeper sleeper,
      RandomGenerator random) {
    ElapsedTime time = new ElapsedTime(nanoClock, sleeper);
    this.device = device;
    this.profile = profile;
    this.random = random;
    this.lanes = new Lanes(profile.lanes(), time);
    this.unwrapLanes = profile.unwrapLanes() == 0 ? lanes : new Lanes(profile.unwrapLanes(), time);
  }

  /** Returns the imitated device's profile. */
  public DeviceProfile profile() {
    return profile;
  }

  @Override
  public Hsm device() {
    return device;
  }

  @Override
  public LiveKeyPair generateExtractable(KeySpec spec) {
    return lanes.run(draw(profile.generation()), () -> device.generateExtractable(spec));
  }

  @Override
  public LiveKeyPair generate(KeySpec spec) {
    return lanes.run(draw(profile.generation()), () -> device.generate(spec));
  }

  @Override
  public WrappedKey wrap(LiveKeyPair keyPair) {
    return lanes.run(draw(profile.wrapping()), () -> device.wrap(keyPair));
  }

  @Override
  public KeyHandle unwrap(WrappedKey key) {
    return unwrapLanes.run(draw(profile.unwrapping()), () -> device.unwrap(key));
  }

  @Override
  public byte[] sign(
      KeyHandle key, SignatureScheme scheme, DigestAlgorithm digestAlgorithm, byte[] digest) {
    long signing = draw(profile.signing());
    return lanes.runFirstPart(
        key, signing / 2, signing, () -> device.sign(key, scheme, digestAlgorithm, digest));
  }

  /** Destroys the key at once, but returns only at the end of its signing. */
  @Override
  public Destruction destroy(KeyHandle key) {
    Destruction destruction = device.destroy(key);
    lanes.awaitEndOfSigning(key);
    return destruction;
  }

  private long draw(OperationTime range) {
    return range.drawNanos(random);
  }
}
