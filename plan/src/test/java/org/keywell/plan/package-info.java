@NullMarked
package org.keywell.plan;

import org.jspecify.annotations.NullMarked;
