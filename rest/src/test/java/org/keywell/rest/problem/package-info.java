@NullMarked
package org.keywell.rest.problem;

import org.jspecify.annotations.NullMarked;
