/** Puts signatures into detached CMS (RFC 5652), as CAdES and PAdES level B-B require. */
@NullMarked
package org.keywell.ca.cms;

import org.jspecify.annotations.NullMarked;
