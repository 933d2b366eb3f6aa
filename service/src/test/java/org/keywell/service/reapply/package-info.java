@NullMarked
package org.keywell.service.reapply;

import org.jspecify.annotations.NullMarked;
