@NullMarked
package org.keywell.dss;

import org.jspecify.annotations.NullMarked;
