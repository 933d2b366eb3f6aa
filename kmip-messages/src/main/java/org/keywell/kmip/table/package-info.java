/**
 * What the OASIS specifications list: tags, enumerations, operations, attributes and result
 * reasons, each with the versions that have it. All of it is data, in the files beside these
 * classes.
 */
@NullMarked
package org.keywell.kmip.table;

import org.jspecify.annotations.NullMarked;
