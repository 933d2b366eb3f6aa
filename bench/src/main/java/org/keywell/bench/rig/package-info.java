/** What the suite measures with: a kept pool, services of its own and ApacheBench. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.rig;
