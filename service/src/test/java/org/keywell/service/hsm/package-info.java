@NullMarked
package org.keywell.service.hsm;

import org.jspecify.annotations.NullMarked;
