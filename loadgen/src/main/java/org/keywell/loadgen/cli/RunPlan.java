package org.keywell.loadgen.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.keywell.loadgen.report.Requirement;
import org.keywell.loadgen.schedule.Schedule;

/**
 * What to drive, and where its report goes.
 *
 * @param command the run's name in the report
 * @param requests what each request states
 * @param warmUp requests that are sent before the run and not measured
 * @param poolInterval how often the service is polled for its queue and its pool
 * @param serviceSettings what the service was started with, as far as known
 * @param folder the report's folder, empty or new
 */
record RunPlan(
    String command,
    Schedule schedule,
    RequestForm requests,
    int warmUp,
    Duration poolInterval,
    List<String> serviceSettings,
    List<Requirement> requirements,
    Path folder) {}
