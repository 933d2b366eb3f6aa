/** An e-service that signs PDFs: how an application uses the starter. */
@NullMarked
package org.keywell.examples.pdfsigning;

import org.jspecify.annotations.NullMarked;
