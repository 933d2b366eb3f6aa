/** What is known of a table: the thesis's figures and measured ones. Knows of no device. */
@NullMarked
package org.keywell.bench.tables.figure;

import org.jspecify.annotations.NullMarked;
