/** The data of a table: the thesis's figures and measured ones. Independent of devices. */
@NullMarked
package org.keywell.bench.tables.figure;

import org.jspecify.annotations.NullMarked;
