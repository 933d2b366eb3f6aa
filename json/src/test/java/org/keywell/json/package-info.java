@NullMarked
package org.keywell.json;

import org.jspecify.annotations.NullMarked;
