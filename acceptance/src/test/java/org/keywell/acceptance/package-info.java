@NullMarked
package org.keywell.acceptance;

import org.jspecify.annotations.NullMarked;
