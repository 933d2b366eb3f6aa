@NullMarked
package org.keywell.operations.health;

import org.jspecify.annotations.NullMarked;
