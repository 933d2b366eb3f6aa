/** What a signing request is, how it ends, and when it passed each stage. */
@NullMarked
package org.keywell.service.request;

import org.jspecify.annotations.NullMarked;
