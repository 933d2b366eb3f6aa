@NullMarked
package org.keywell.service.problem;

import org.jspecify.annotations.NullMarked;
