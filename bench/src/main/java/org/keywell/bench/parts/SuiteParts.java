package org.keywell.bench.parts;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.keywell.bench.rig.PreparedPool;
import org.keywell.bench.rig.Rig;
import org.keywell.bench.suite.Part;
import org.keywell.bench.suite.PartId;

/** All parts of the suite. */
public final class SuiteParts {

  private SuiteParts() {}

  /** Returns the parts. */
  public static Map<PartId, Part> of(Rig rig) throws IOException {
    Map<PartId, Part> parts = new EnumMap<>(PartId.class);
    PreparedPool pool = rig.pool();
    parts.put(PartId.A, new BindingPart(rig.hsm(), pool.environment(), pool.scratch("binding")));
    parts.put(PartId.B, new BurstPart(rig));
    parts.put(PartId.C, new SustainedPart(rig));
    parts.put(PartId.D, new ModesPart(rig));
    parts.put(PartId.E, new SteadyPart(rig));
    parts.put(PartId.F, new UnwrapLatencyPart(rig));
    parts.put(PartId.G, new ClaimPart(pool.keptFor("claims")));
    parts.put(PartId.H, new ThreadsPart(rig));
    parts.put(PartId.I, new ProfilePart(rig));
    parts.put(PartId.J, new StartPart(pool, rig.driver()));
    parts.put(PartId.K, new FirstMinutePart(rig));
    parts.put(PartId.L, new FormsPart(rig));
    parts.put(PartId.M, new ScrapePart(rig));
    parts.put(PartId.N, new LogPart(rig));
    parts.put(PartId.O, new TlsPart(rig, pool.scratch("certificates")));
    parts.put(PartId.P, new ExternalKeyPart(rig, pool.scratch("external-keys")));
    parts.put(PartId.Q, new StampPart(rig, pool.scratch("time-stamps")));
    return parts;
  }
}
