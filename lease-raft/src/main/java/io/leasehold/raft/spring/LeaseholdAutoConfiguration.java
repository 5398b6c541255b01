package io.leasehold.raft.spring;

import io.leasehold.LeaseProvider;
import io.leasehold.raft.RaftLeases;
import io.leasehold.raft.RaftLeasesConfig;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/**
 * This process as a node of a cluster, where {@code leasehold.members} is set or {@code
 * leasehold.enabled} is true.
 *
 * <p>It is closed as any bean is: after everything with a life cycle has been stopped, and after
 * the beans that it was injected into. So they may release what they hold when they are destroyed.
 */
@AutoConfiguration
@Conditional(OnLeaseholdCondition.class)
@ConditionalOnMissingBean(LeaseProvider.class)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseholdAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  RaftLeasesConfig raftLeasesConfig(LeaseholdProperties properties) {
    return properties.config();
  }

  /** Never lazy: the other members need it, whether or not this application does yet. */
  @Bean(destroyMethod = "close")
  @Lazy(false)
  RaftLeases raftLeases(RaftLeasesConfig config) {
    return RaftLeases.start(config);
  }
}
