package io.leasehold.raft.spring;

import io.leasehold.LeaseProvider;
import io.leasehold.spring.LeaseLockRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.support.locks.LockRegistry;

/** Locks for Spring Integration, where it and a provider of leases are there. */
@AutoConfiguration(after = LeaseholdAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "leasehold.enabled", matchIfMissing = true)
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(LeaseProvider.class)
@EnableConfigurationProperties(LeaseholdProperties.class)
public final class LeaseLockRegistryAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(LockRegistry.class)
  LeaseLockRegistry leaseLockRegistry(LeaseProvider leases, LeaseholdProperties properties) {
    return new LeaseLockRegistry(leases, properties.lockSettings());
  }
}
