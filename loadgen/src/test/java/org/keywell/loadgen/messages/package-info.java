@NullMarked
package org.keywell.loadgen.messages;

import org.jspecify.annotations.NullMarked;
