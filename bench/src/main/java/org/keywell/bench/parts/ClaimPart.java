package org.keywell.bench.parts;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.keywell.bench.suite.Goal;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartResult;
import org.keywell.bench.suite.Ratio;
import org.keywell.bench.suite.Reading;
import org.keywell.standalone.EmbeddedDatabase;

/**
 * Part g: whether a claim takes longer when more keys are stored. A separate server holds two
 * databases, which are kept between runs; claimed keys are replaced before each round.
 */
public final class ClaimPart implements Part {
  private static final int FEW = 10_000;
  private static final int MANY = 1_000_000;

  /** As many as a loader claims at a time. */
  private static final int BATCH = 100;

  /** Per database and round, alternating; their median is free of single slow commits. */
  private static final int CLAIMS = 15;

  private final Path folder;
  private final int few;
  private final int many;

  /**
   * @param folder for the server, kept between runs; must exist and belong to this process only
   */
  public ClaimPart(Path folder) {
    this(folder, FEW, MANY);
  }

  ClaimPart(Path folder, int few, int many) {
    this.folder = folder;
    this.few = few;
    this.many = many;
  }

  @Override
  public PartResult measure(int rounds) throws IOException {
    try (EmbeddedDatabase server = EmbeddedDatabase.own(folder);
        FilledStore small = FilledStore.open(server.access(), few);
        FilledStore large = FilledStore.open(server.access(), many)) {
      small.fill();
      large.fill();
      double _ = middle(small, large)[0];
      List<Double> ratios = new ArrayList<>();
      double ofSmall = 0;
      double ofLarge = 0;
      for (int round = 0; round < rounds; round++) {
        small.fill();
        large.fill();
        double[] millis = middle(small, large);
        ofSmall += millis[0] / rounds;
        ofLarge += millis[1] / rounds;
        ratios.add(millis[1] / millis[0]);
      }
      String label = "claim of %d keys among %,d / among %,d".formatted(BATCH, many, few);
      return new PartResult(
          List.of(new Ratio(label, ratios, Goal.of(1.5, 1.1))),
          List.of(
              Reading.of("claim among %,d keys".formatted(few), ofSmall, "ms"),
              Reading.of("claim among %,d keys".formatted(many), ofLarge, "ms")));
    } catch (SQLException e) {
      throw new IOException("claims cannot be measured: " + e.getMessage(), e);
    }
  }

  private static double[] middle(FilledStore small, FilledStore large) {
    double[][] millis = new double[2][CLAIMS];
    for (int i = 0; i < CLAIMS; i++) {
      millis[0][i] = small.claimMillis(BATCH);
      millis[1][i] = large.claimMillis(BATCH);
    }
    Arrays.sort(millis[0]);
    Arrays.sort(millis[1]);
    return new double[] {millis[0][CLAIMS / 2], millis[1][CLAIMS / 2]};
  }
}
