package org.keywell.rest.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.util.FileSystemUtils;

/**
 * Deletes the temporary directories that Spring Boot creates for Tomcat as soon as a port is open.
 * The service needs none for files, uploads or pages, and a process that runs out of memory or is
 * killed would leave them behind.
 */
final class UnusedDirectories implements ApplicationListener<WebServerInitializedEvent> {

  /** The start of the names that Spring Boot gives them. */
  private static final String TEMPORARY = "tomcat";

  @Override
  public void onApplicationEvent(WebServerInitializedEvent event) {
    if (event.getWebServer() instanceof TomcatWebServer server) {
      Tomcat tomcat = server.getTomcat();
      for (Container child : tomcat.getHost().findChildren()) {
        if (child instanceof Context context) {
          delete(Path.of(context.getDocBase()));
        }
      }
      delete(tomcat.getServer().getCatalinaBase().toPath());
      // The second server recreates the first one's directory, which it takes for its home.
      delete(tomcat.getServer().getCatalinaHome().toPath());
    }
  }

  /** Keeps a directory that {@code server.tomcat.basedir} names. */
  private static void delete(Path directory) {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
    if (!directory.startsWith(temporary)
        || !directory.getFileName().toString().startsWith(TEMPORARY)) {
      return;
    }
    try {
      FileSystemUtils.deleteRecursively(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + directory, e);
    }
  }
}
