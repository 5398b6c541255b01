package io.leasehold.bench.floor;

import java.io.IOException;
import java.nio.file.Path;

/** A follower as a process of its own, which ends when its leader goes. */
final class FloorFollowerMain {

  private FloorFollowerMain() {}

  /** Argument: the file of its log. Prints its port. */
  public static void main(String[] args) throws IOException {
    try (FloorFollower follower = FloorFollower.open(Path.of(args[0]))) {
      System.out.println(follower.port());
      follower.serve();
    }
  }
}
