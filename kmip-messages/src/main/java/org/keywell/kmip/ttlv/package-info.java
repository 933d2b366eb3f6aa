/**
 * The binary form of KMIP's messages: typed items, their reader and their writer. Knows no tag's
 * meaning. The reader is where bytes of strangers enter: what it accepts is bounded by {@link
 * org.keywell.kmip.ttlv.TtlvLimits}, and what it refuses is a {@link
 * org.keywell.kmip.ttlv.TtlvException}.
 */
@NullMarked
package org.keywell.kmip.ttlv;

import org.jspecify.annotations.NullMarked;
