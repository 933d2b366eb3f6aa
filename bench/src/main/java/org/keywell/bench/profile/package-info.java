/** Where a service's processor time and memory go, by a profiler that sees native code as well. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.profile;
