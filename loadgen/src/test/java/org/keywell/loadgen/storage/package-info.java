@NullMarked
package org.keywell.loadgen.storage;

import org.jspecify.annotations.NullMarked;
