/**
 * Protects a message from end to end, whatever carries it: signed, encrypted, or both, as CMS (RFC
 * 5652, RFC 5083). Bytes in, bytes out; knows no broker, and no rule about which certificates are
 * trusted. For Java 17 and newer.
 */
@NullMarked
package org.keywell.protection;

import org.jspecify.annotations.NullMarked;
