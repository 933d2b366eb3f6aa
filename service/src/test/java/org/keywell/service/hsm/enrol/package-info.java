@NullMarked
package org.keywell.service.hsm.enrol;

import org.jspecify.annotations.NullMarked;
