/**
 * What clients do with managed objects: one class for each operation or for a few that are alike.
 */
@NullMarked
package org.keywell.kmip.operation;

import org.jspecify.annotations.NullMarked;
