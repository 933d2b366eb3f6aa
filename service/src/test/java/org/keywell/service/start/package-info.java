@NullMarked
package org.keywell.service.start;

import org.jspecify.annotations.NullMarked;
