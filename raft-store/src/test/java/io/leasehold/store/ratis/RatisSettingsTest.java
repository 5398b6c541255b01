package io.leasehold.store.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import io.leasehold.store.StoreConfig;
import java.nio.file.Path;
import org.apache.ratis.protocol.RaftGroupId;
import org.junit.jupiter.api.Test;

/** Which nodes take each other for members of one group. */
final class RatisSettingsTest {

  private static final String MEMBERS = "n1=h:1,n2=h:2,n3=h:3";

  @Test
  void membersOfOneClusterAreInOneGroupWhereverTheyListen() {
    assertThat(groupId("shop", "n3=h:3,n1=h:1,n2=h:2")).isEqualTo(groupId("shop", MEMBERS));
    assertThat(groupId("shop", "n1=h:4,n2=g:2,n3=h:3")).isEqualTo(groupId("shop", MEMBERS));
  }

  @Test
  void clustersOfDifferentNamesAreDifferentGroups() {
    assertThat(groupId("mill", MEMBERS)).isNotEqualTo(groupId("shop", MEMBERS));
  }

  /** Or what the new one acknowledges would count for the one whose address it has. */
  @Test
  void aMemberInAnothersPlaceIsInAnotherGroup() {
    assertThat(groupId("shop", "n1=h:1,n2=h:2,n4=h:3")).isNotEqualTo(groupId("shop", MEMBERS));
    assertThat(groupId("shop", MEMBERS + ",n4=h:4")).isNotEqualTo(groupId("shop", MEMBERS));
  }

  @Test
  void membersThatBeganWithAnotherBackupAreAnotherGroup() {
    StoreConfig config = StoreConfig.of("shop", "n1", Member.parseAll(MEMBERS), Path.of("n1"));

    assertThat(RatisSettings.groupId(config, "one"))
        .isNotEqualTo(RatisSettings.groupId(config, "other"))
        .isNotEqualTo(RatisSettings.groupId(config, ""));
  }

  private static RaftGroupId groupId(String cluster, String members) {
    return RatisSettings.groupId(
        StoreConfig.of(cluster, "n1", Member.parseAll(members), Path.of("n1")), "");
  }
}
