@NullMarked
package org.keywell.bench.profile;

import org.jspecify.annotations.NullMarked;
