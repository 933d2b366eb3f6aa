package org.keywell.operations;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.rest.problem.Problem;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;
import org.keywell.settings.KeywellProperties;
import org.keywell.signing.hsm.HsmTimes;
import org.keywell.signing.pool.Depth;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.sign.SignRequestQueue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * {@code GET /pool}: the depths of both tiers, for scripts and load generators. Does not query the
 * database: many clients must not take connections away from signing.
 */
@Tag(name = "Operations")
@RestController
public final class PoolController {

  /**
   * The state of the service's bounded parts.
   *
   * @param simulatedProfile the device that the HSM is slowed down to, for experiments; absent if
   *     times are the HSM's own
   */
  public record PoolStatus(
      String mode,
      Queue queue,
      int orphanedKeys,
      List<Pool> pools,
      @Schema(
              description =
                  "the device that the HSM is slowed down to; absent: it runs at its own speed")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String simulatedProfile) {}

  public record Queue(int length, int limit) {}

  /**
   * One kind of key.
   *
   * @param stored as of the last count, about a second ago
   * @param generated keys stored by this process since its start
   * @param used keys given to requests since its start
   */
  public record Pool(
      String keySpec,
      long stored,
      int loaded,
      int maxStored,
      int loadedCapacity,
      int lowWater,
      long generated,
      long used) {}

  private final KeywellProperties properties;
  private final SignRequestQueue queue;
  private final KeyPools pools;
  private final PoolDepths depths;
  private final HsmTimes times;

  public PoolController(
      KeywellProperties properties,
      SignRequestQueue queue,
      KeyPools pools,
      PoolDepths depths,
      HsmTimes times) {
    this.properties = properties;
    this.queue = queue;
    this.pools = pools;
    this.depths = depths;
    this.times = times;
  }

  @Operation(summary = "Depth of both tiers of the pool, and of the sign queue")
  @GetMapping("/pool")
  public PoolStatus status() {
    return new PoolStatus(
        properties.pool().mode().label(),
        new Queue(queue.length(), queue.limit()),
        pools.orphans(),
        pools.config().limits().stream().map(this::status).toList(),
        times.profileName());
  }

  private Pool status(PoolLimits limits) {
    return new Pool(
        limits.spec().label(),
        stored(limits.spec()),
        pools.depth(limits.spec()).loaded(),
        limits.maxStored(),
        limits.loadedCapacity(),
        limits.lowWater(),
        pools.generated(limits.spec()),
        pools.leased(limits.spec()));
  }

  private long stored(KeySpec spec) {
    return depths
        .of(spec)
        .map(Depth::stored)
        .orElseThrow(() ->
            new ProblemException(
                new Problem(
                    ProblemType.RECORD_UNAVAILABLE,
                    "the stored keys cannot be counted",
                    Duration.ofSeconds(1))));
  }
}
