@NullMarked
package org.keywell.service.ops.health;

import org.jspecify.annotations.NullMarked;
