@NullMarked
package org.keywell.bench;

import org.jspecify.annotations.NullMarked;
