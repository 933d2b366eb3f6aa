package org.keywell.loadgen.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.PoolStatus;
import org.keywell.loadgen.overload.BaseRate;
import org.keywell.loadgen.overload.OverloadResult;
import org.keywell.loadgen.overload.ThesisRow;

/**
 * All data of an overload, as stored in its {@code run.json}. Each test's run is in a separate
 * folder beside it.
 *
 * @param format the version of this form
 * @param testId the experiment that the tests' requests name, with the test's number
 * @param startedAt RFC 3339
 * @param interrupted whether tests are missing
 * @param simulatedProfile the device whose timing the service imitates; null if times are real
 * @param service the service's {@code GET /pool} before the first test
 * @param serviceSettings what the service was started with, if the launcher started it
 * @param warmUpRequests how many requests were sent before everything else
 * @param allSignaturesRight whether no signature of any test was wrong, and no key was used twice
 * @param thesis the thesis's Table 4-2
 */
public record OverloadDocument(
    int format,
    String testId,
    String startedAt,
    boolean interrupted,
    @Nullable String simulatedProfile,
    RunEnvironment environment,
    PoolStatus service,
    List<String> serviceSettings,
    String keySpec,
    int warmUpRequests,
    BaseRate baseRate,
    List<OverloadResult> tests,
    boolean allSignaturesRight,
    List<RequirementResult> requirements,
    List<ThesisRow> thesis) {

  public static final int FORMAT = 1;
}
