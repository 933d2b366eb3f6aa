/** Who sent a request, by AWS Signature Version 4. */
@NullMarked
package org.keywell.xks.auth;

import org.jspecify.annotations.NullMarked;
