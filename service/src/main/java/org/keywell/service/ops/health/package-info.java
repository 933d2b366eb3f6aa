/** Whether the service is fit for requests, and if not, which part is to blame and since when. */
@NullMarked
package org.keywell.service.ops.health;

import org.jspecify.annotations.NullMarked;
