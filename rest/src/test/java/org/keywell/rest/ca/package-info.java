@NullMarked
package org.keywell.rest.ca;

import org.jspecify.annotations.NullMarked;
