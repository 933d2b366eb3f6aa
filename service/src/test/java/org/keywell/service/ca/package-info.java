@NullMarked
package org.keywell.service.ca;

import org.jspecify.annotations.NullMarked;
