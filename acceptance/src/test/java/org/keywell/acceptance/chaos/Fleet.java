package org.keywell.acceptance.chaos;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.keywell.testkit.Await;

/** Several instances of the service on one pool, each a process of its own. Thread-safe. */
final class Fleet implements AutoCloseable {

  private final List<Member> members = new ArrayList<>();

  /**
   * Starts them.
   *
   * @param settings of each; the names of the instances are added
   */
  static Fleet start(Path home, List<Map<String, String>> settings) throws IOException {
    Fleet fleet = new Fleet();
    for (int i = 1; i <= settings.size(); i++) {
      String name = "chaos-" + i;
      Map<String, String> own = new HashMap<>(settings.get(i - 1));
      own.put("keywell.instance", name);
      fleet.members.add(new Member(own, Files.createDirectories(home.resolve(name))));
    }
    return fleet;
  }

  Member any(RandomGenerator random) {
    return members.get(random.nextInt(members.size()));
  }

  /** Those that listen at the moment. */
  List<URI> listening() throws IOException {
    List<URI> listening = new ArrayList<>();
    for (Member member : members) {
      member.address().ifPresent(listening::add);
    }
    return listening;
  }

  void awaitListening(int count) throws InterruptedException {
    Await.until(count + " instances listen", () -> listening().size() >= count);
  }

  List<Member> members() {
    return members;
  }

  @Override
  public void close() {
    members.forEach(Member::close);
  }
}
