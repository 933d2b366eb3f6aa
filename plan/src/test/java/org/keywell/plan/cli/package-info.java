@NullMarked
package org.keywell.plan.cli;

import org.jspecify.annotations.NullMarked;
