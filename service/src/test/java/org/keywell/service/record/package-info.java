@NullMarked
package org.keywell.service.record;

import org.jspecify.annotations.NullMarked;
