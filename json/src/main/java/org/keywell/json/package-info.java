/** The JSON of requests and answers, for each way in that speaks it; knows none of them. */
@NullMarked
package org.keywell.json;

import org.jspecify.annotations.NullMarked;
