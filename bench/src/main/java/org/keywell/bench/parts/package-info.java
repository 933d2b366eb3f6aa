/** The parts of the suite, one class each. */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.parts;
