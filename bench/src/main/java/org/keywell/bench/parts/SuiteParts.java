package org.keywell.bench.parts;

import java.io.IOException;
import java.util.List;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.suite.Part;

/** All parts of the suite. */
public final class SuiteParts {

  private SuiteParts() {}

  /** Returns the parts in the order in which they are measured. */
  public static List<Part> of(Rig rig) throws IOException {
    return List.of(
        new BindingPart(rig.hsm(), rig.pool().environment(), rig.pool().scratch("binding")),
        new BurstPart(rig),
        new SustainedPart(rig),
        new ModesPart(rig),
        new SteadyPart(rig),
        new UnwrapLatencyPart(rig),
        new ClaimPart(rig.pool().keptFor("claims")),
        new ThreadsPart(rig),
        new ProfilePart(rig),
        new StartPart(rig.pool(), rig.driver()),
        new FirstMinutePart(rig),
        new FormsPart(rig),
        new ScrapePart(rig));
  }
}
