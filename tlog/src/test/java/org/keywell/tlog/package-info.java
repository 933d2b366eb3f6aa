@NullMarked
package org.keywell.tlog;

import org.jspecify.annotations.NullMarked;
