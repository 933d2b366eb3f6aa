@NullMarked
package org.keywell.signing.log;

import org.jspecify.annotations.NullMarked;
