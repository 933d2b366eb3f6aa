package org.keywell.dss;

import eu.europa.esig.dss.cms.CMS;
import eu.europa.esig.dss.cms.object.CMSObjectUtils;
import eu.europa.esig.dss.model.InMemoryDocument;

/**
 * Reads CMS that is followed by zeros, as in every PDF: the space for the signature is larger than
 * the signature (ISO 32000-1, table 252).
 *
 * <p>DSS 6.4 passes the whole space to Bouncy Castle as an array, which Bouncy Castle refuses by
 * design since 1.85; from a stream it reads one object and stops. {@link CmsService} makes DSS use
 * this class; it is public because services must be.
 */
public final class PaddedCms extends CMSObjectUtils {

  @Override
  public CMS parseToCMS(byte[] padded) {
    return parseToCMS(new InMemoryDocument(padded));
  }
}
