/** What the suite measures with: a kept pool, separate services and ApacheBench. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.rig;
