/**
 * What the HSM can do at the most: its calls made by a C program, which nothing else burdens, and
 * by the pool's binding.
 */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.raw;
