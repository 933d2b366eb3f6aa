@NullMarked
package org.keywell.signing.record;

import org.jspecify.annotations.NullMarked;
