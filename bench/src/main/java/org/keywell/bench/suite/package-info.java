/**
 * How close the service comes to what HSM and processor can do, measured part by part in one run.
 */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.suite;
