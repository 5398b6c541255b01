package io.leasehold.harness.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What those who operate a cluster have to be able to do, done on three processes of this machine.
 */
public enum Drill {
  ROLLING_RESTART("all nodes are restarted, one after the other, under load; no lease is lost") {
    @Override
    Play.Script script() {
      return (stage, folder) -> new RollingRestartScene(stage).play();
    }
  },
  BACKUP("all that is held is saved, and a new cluster begins with it") {
    @Override
    Play.Script script() {
      return (stage, folder) -> new BackupScene(stage, folder).play();
    }
  },
  WIPED_DISK("a node loses its disk and takes its place again; no lease is lost") {
    @Override
    Play.Script script() {
      return (stage, folder) -> new WipedDiskScene(stage).play();
    }
  },
  RESIZE("three members become five and three again, of which two are others") {
    @Override
    Play.Script script() {
      return (stage, folder) -> new ResizeScene(stage, folder).play();
    }
  },
  FULL_DISK("a node's disk fills up, and has room again; as root on Linux, to mount a small one") {
    @Override
    Play.Script script() {
      return (stage, folder) -> new FullDiskScene(stage).play();
    }
  };

  private final String meaning;

  Drill(String meaning) {
    this.meaning = meaning;
  }

  abstract Play.Script script();

  /**
   * Does it. However this process ends, no process stays behind.
   *
   * @return whether every promise held
   */
  public boolean play(Narrator narrator) {
    return new Play(narrator, "drill")
        .of(
            (stage, folder) -> {
              Demo.start(stage);
              script().play(stage, folder);
            });
  }

  /** The name on the command line. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is done, for people. */
  public String meaning() {
    return meaning;
  }

  /** Finds one by its name on the command line. */
  public static Optional<Drill> of(String word) {
    return Arrays.stream(values()).filter(drill -> drill.word().equals(word)).findFirst();
  }

  /** All names, separated by commas. */
  public static String words() {
    return Arrays.stream(values()).map(Drill::word).collect(Collectors.joining(", "));
  }
}
