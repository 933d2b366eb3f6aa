/** Puts signatures into detached CMS (RFC 5652), as CAdES and PAdES want it at level B-B. */
@NullMarked
package org.keywell.ca.cms;

import org.jspecify.annotations.NullMarked;
