/** One signing request from admission to answer: queue, handlers, cycle, REST. */
@NullMarked
package org.keywell.service.sign;

import org.jspecify.annotations.NullMarked;
