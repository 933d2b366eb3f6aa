package org.keywell.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.deploy.Deployment.ROOT;
import static org.keywell.deploy.Deployment.at;
import static org.keywell.deploy.Deployment.list;
import static org.keywell.deploy.Deployment.map;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Each example restarts a process that ended because something hung (code 75), and waits for a stop
 * longer than that takes by itself.
 */
class RestartTest {

  /** {@code keywell.stop-limit}. */
  private static final int STOP_LIMIT_SECONDS = 30;

  @Test
  void compose() {
    Map<?, ?> service =
        map(at(map(Deployment.yaml("docker-compose.yml").get("services")), "service"));

    assertThat(service.get("restart")).isEqualTo("unless-stopped");
    assertThat(seconds(service.get("stop_grace_period"))).isGreaterThan(STOP_LIMIT_SECONDS);
  }

  @Test
  void systemd() throws IOException {
    String unit = Files.readString(ROOT.resolve("ops/systemd/keywell.service"));

    assertThat(unit)
        .contains("\nRestart=on-failure\n", "\nRestartPreventExitStatus=2\n")
        .contains("\nSuccessExitStatus=143\n");
    assertThat(seconds(unit.replaceFirst("(?s).*\nTimeoutStopSec=(\\d+)\n.*", "$1")))
        .isGreaterThan(STOP_LIMIT_SECONDS);
  }

  @Test
  void kubernetes() {
    Map<?, ?> pod =
        map(at(Deployment.yaml("ops/kubernetes/keywell.yaml"), "spec", "template", "spec"));
    Map<?, ?> container = map(list(pod.get("containers")).getFirst());
    int preStop = seconds(at(container, "lifecycle", "preStop", "sleep", "seconds"));

    assertThat(pod.get("restartPolicy")).isEqualTo("Always");
    assertThat(seconds(pod.get("terminationGracePeriodSeconds")))
        .isGreaterThan(preStop + STOP_LIMIT_SECONDS);
    assertThat(at(container, "livenessProbe", "exec", "command"))
        .hasToString("[bash, /opt/keywell/container-health.sh, liveness]");
  }

  private static int seconds(@Nullable Object time) {
    return Integer.parseInt(String.valueOf(time).replace("s", ""));
  }
}
