@NullMarked
package org.keywell.loadgen.tls;

import org.jspecify.annotations.NullMarked;
