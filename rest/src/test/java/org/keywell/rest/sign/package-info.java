@NullMarked
package org.keywell.rest.sign;

import org.jspecify.annotations.NullMarked;
