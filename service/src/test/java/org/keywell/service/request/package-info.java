@NullMarked
package org.keywell.service.request;

import org.jspecify.annotations.NullMarked;
