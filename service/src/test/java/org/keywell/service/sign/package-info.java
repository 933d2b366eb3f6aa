@NullMarked
package org.keywell.service.sign;

import org.jspecify.annotations.NullMarked;
