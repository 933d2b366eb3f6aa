@NullMarked
package org.keywell.rest.rehearsal;

import org.jspecify.annotations.NullMarked;
