package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletContext;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Site;
import org.keywell.rest.security.EndpointRoles;
import org.keywell.service.launch.KeywellApplication;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * All that answers anything, at both ports, no matter what registered it: controllers, files,
 * health and metrics, the API's pages, and what Spring adds. Each has a role, or the test fails.
 */
final class AllMappingsHaveARoleIT {

  @TempDir Path home;

  /** With ports of their own, and with one for both. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyMappingAsksForARole(boolean twoPorts) throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(ports(twoPorts)), KeywellApplication.class, Contexts.class)) {
      EndpointRoles roles = keywell.part(EndpointRoles.class);
      Contexts contexts = keywell.part(Contexts.class);
      assertThat(contexts.all).as("web servers").hasSize(twoPorts ? 2 : 1);
      Set<Mapping> mappings = mappings(contexts);

      assertThat(mappings)
          .as("what is known to be there, so that this test sees what it should")
          .extracting(Mapping::path)
          .contains(
              "/sign",
              "/sign/{requestId}",
              "/pool",
              "/ca/chain",
              "/readyz",
              "/console/events",
              "/actuator/health/**",
              "/actuator/prometheus",
              "/v3/api-docs",
              "/swagger-ui.html");
      assertThat(mappings).filteredOn(mapping -> !hasARole(roles, mapping)).isEmpty();
      assertThat(roles.endpoints())
          .as("endpoints that nothing answers")
          .filteredOn(
              endpoint -> mappings.stream().noneMatch(mapping -> matches(endpoint, mapping)))
          .isEmpty();
    }
  }

  /** The control: a controller that somebody adds is found without a role, and is not reached. */
  @Test
  void aMappingWithoutARoleIsFoundAndRefused() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell =
            RunningKeywell.start(
                site.settings(), KeywellApplication.class, Contexts.class, Stray.class)) {
      EndpointRoles roles = keywell.part(EndpointRoles.class);

      assertThat(mappings(keywell.part(Contexts.class)))
          .filteredOn(mapping -> !hasARole(roles, mapping))
          .extracting(Mapping::path)
          .containsExactly("/stray");
      assertThat(keywell.http().get("/stray").problem()).isEqualTo("not-found");
    }
  }

  /** Something that answers. */
  private record Mapping(String method, String path) implements Comparable<Mapping> {
    @Override
    public int compareTo(Mapping other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return path + " " + method;
    }
  }

  private static Set<Mapping> mappings(Contexts contexts) {
    Set<Mapping> mappings = new TreeSet<>();
    for (ApplicationContext context : contexts.all) {
      context
          .getBeansOfType(HandlerMapping.class)
          .values()
          .forEach(found -> mappings.addAll(mappings(found)));
      ServletContext servlets =
          Objects.requireNonNull(((WebApplicationContext) context).getServletContext());
      servlets
          .getServletRegistrations()
          .forEach((name, servlet) -> {
            if (!name.startsWith("dispatcherServlet")) {
              servlet.getMappings().forEach(path -> mappings.add(new Mapping("GET", path)));
            }
          });
    }
    return mappings;
  }

  private static Collection<Mapping> mappings(HandlerMapping found) {
    List<Mapping> mappings = new ArrayList<>();
    switch (found) {
      case RequestMappingInfoHandlerMapping methods ->
          methods.getHandlerMethods().keySet().forEach(info -> mappings.addAll(mappings(info)));
      case AbstractUrlHandlerMapping urls -> {
        urls.getHandlerMap().keySet().forEach(path -> mappings.add(new Mapping("GET", path)));
        if (urls.getRootHandler() != null) {
          mappings.add(new Mapping("GET", "/"));
        }
        if (urls.getDefaultHandler() != null) {
          mappings.add(new Mapping("GET", "/**"));
        }
      }
      case RouterFunctionMapping functions ->
          assertThat(functions.getRouterFunction()).as("functions that answer").isNull();
      default ->
          // That of the management port asks the other beans of its context, which are here, too.
          assertThat(found.getClass().getSimpleName())
              .as("a mapping that this test cannot look into")
              .isEqualTo("CompositeHandlerMapping");
    }
    return mappings;
  }

  private static List<Mapping> mappings(RequestMappingInfo info) {
    Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
    return info.getPatternValues().stream()
        .flatMap(path ->
            methods.isEmpty()
                ? Stream.of(new Mapping("GET", path))
                : methods.stream().map(method -> new Mapping(method.name(), path)))
        .toList();
  }

  private static boolean hasARole(EndpointRoles roles, Mapping mapping) {
    return roles.endpoints().stream().anyMatch(endpoint -> matches(endpoint, mapping));
  }

  /** Pattern against pattern: every address of the mapping's is one of the endpoint's. */
  private static boolean matches(EndpointRoles.Endpoint endpoint, Mapping mapping) {
    return endpoint.method().equals(mapping.method())
        && (endpoint.path().getPatternString().equals(mapping.path())
            || endpoint.path().matches(PathContainer.parsePath(mapping.path())));
  }

  private Map<String, String> ports(boolean two) throws Exception {
    if (two) {
      return Map.of();
    }
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(socket.getLocalPort());
      return Map.of("server.port", port, "management.server.port", port);
    }
  }

  /** The contexts of all web servers, that of management too. */
  static class Contexts {
    private final List<ApplicationContext> all = new CopyOnWriteArrayList<>();

    @EventListener
    void onServer(WebServerInitializedEvent event) {
      all.add(event.getApplicationContext());
    }
  }

  @RestController
  static class Stray {
    @GetMapping("/stray")
    String answer() {
      return "here";
    }
  }
}
