/** What operators do with keys of the external key store, while something fails. */
@NullMarked
package org.keywell.service.xks;

import org.jspecify.annotations.NullMarked;
