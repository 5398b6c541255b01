package io.leasehold.raft.spring;

import io.leasehold.LeaseProvider;
import io.leasehold.raft.RaftLeases;
import io.leasehold.raft.RaftLeasesConfig;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
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

  /**
   * Never lazy: the other members need it, whether or not this application does yet. Measured into
   * the application's registry of meters, if it has one.
   */
  @Bean(destroyMethod = "close")
  @Lazy(false)
  RaftLeases raftLeases(RaftLeasesConfig config, ObjectProvider<MeterRegistry> meters) {
    RaftLeases.Builder builder = RaftLeases.builder(config);
    MeterRegistry registry = meters.getIfUnique();
    return (registry == null ? builder : builder.meters(registry)).start();
  }
}
