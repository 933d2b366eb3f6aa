/** What stops a start with KMIP. */
@NullMarked
package org.keywell.service.kmip;

import org.jspecify.annotations.NullMarked;
