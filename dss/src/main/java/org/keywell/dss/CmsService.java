package org.keywell.dss;

import eu.europa.esig.dss.cms.CMSUtils;
import eu.europa.esig.dss.cms.ICMSUtils;
import eu.europa.esig.dss.model.DSSException;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * Makes DSS read CMS with {@link PaddedCms}.
 *
 * <p>DSS uses the first service that it finds, once per process, through the class loader of the
 * first thread that asks. {@link #choose} asks first, with a class loader that finds only this
 * module's service. The order of the class path then does not matter: Spring Boot's executable jars
 * list libraries alphabetically, DSS's own service before this one.
 */
final class CmsService {
  private static final String SERVICE = "META-INF/services/" + ICMSUtils.class.getName();

  /** SignedData without a signer, followed by a zero byte. */
  private static final byte[] PADDED =
      HexFormat.of()
          .parseHex("302306092a864886f70d010702a01630140201013100300b06092a864886f70d010701310000");

  private CmsService() {}

  /**
   * Must run before any other use of DSS; may be called again.
   *
   * @throws IllegalStateException if DSS has already chosen another service, which cannot read
   *     signed PDFs
   */
  static void choose() {
    Thread thread = Thread.currentThread();
    ClassLoader usual = thread.getContextClassLoader();
    thread.setContextClassLoader(new OurServiceOnly(CmsService.class.getClassLoader()));
    try {
      CMSUtils.parseToCMS(PADDED);
    } catch (DSSException e) {
      throw new IllegalStateException(
          "EU DSS was used before Keywell's document signer and verification were made, and has"
              + " chosen a reader of CMS that refuses signed PDFs: make them first",
          e);
    } finally {
      thread.setContextClassLoader(usual);
    }
  }

  private static final class OurServiceOnly extends ClassLoader {

    OurServiceOnly(ClassLoader parent) {
      super(parent);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
      return name.equals(SERVICE)
          ? Collections.enumeration(
              List.of(Objects.requireNonNull(CmsService.class.getResource("cms-service"))))
          : super.getResources(name);
    }
  }
}
