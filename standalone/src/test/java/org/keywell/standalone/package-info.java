@NullMarked
package org.keywell.standalone;

import org.jspecify.annotations.NullMarked;
