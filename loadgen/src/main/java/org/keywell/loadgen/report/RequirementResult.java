package org.keywell.loadgen.report;

/** Whether a run met a requirement, and the figure that decided it. */
public record RequirementResult(String requirement, boolean met, String actual) {}
