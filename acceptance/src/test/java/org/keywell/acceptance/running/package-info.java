/** Runs the real service for tests: in this process, or in one that can be killed. */
@NullMarked
package org.keywell.acceptance.running;

import org.jspecify.annotations.NullMarked;
