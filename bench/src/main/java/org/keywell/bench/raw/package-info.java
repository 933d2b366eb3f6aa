/**
 * The HSM's limit: its calls made by a C program that does nothing else, and by the pool's binding.
 */
@org.jspecify.annotations.NullMarked
package org.keywell.bench.raw;
