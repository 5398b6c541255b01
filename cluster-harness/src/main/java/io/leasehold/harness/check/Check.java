package io.leasehold.harness.check;

/** Judges a history by one promise or a few that belong together. Without state. */
sealed interface Check
    permits Durability,
        EarlyTakeover,
        Exclusion,
        FencedWrites,
        HonestRefusals,
        Latch,
        LeaseTime,
        Linearizability,
        LossesHaveCauses,
        LossesTold,
        ObservedOrder,
        PromptTurnover,
        QueueOrder,
        Recovery,
        ReplicaDigests,
        SilenceAfterRelease,
        SingletonTasks,
        TokenIdentity,
        TokenOrder,
        TracelessFailures,
        WellFormed {

  void judge(History history, Findings findings);
}
