@NullMarked
package org.keywell.client.cli;

import org.jspecify.annotations.NullMarked;
