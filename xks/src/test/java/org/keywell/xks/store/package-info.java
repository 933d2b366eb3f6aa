@NullMarked
package org.keywell.xks.store;

import org.jspecify.annotations.NullMarked;
