package io.leasehold.harness.demo;

import java.time.Duration;

/** Tells a watcher what happens. */
public interface Narrator {

  /** A new scene begins. */
  void scene(String id, String title);

  /** Something happens. */
  void say(String text);

  /** A promise was put to the test. */
  void promise(boolean held, String text, String detail);

  /** The end. */
  void end(int held, int broken, Duration total);
}
