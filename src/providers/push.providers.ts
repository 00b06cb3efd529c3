import type { FactoryProvider, LoggerService } from '@nestjs/common';
import { A2A_LOGGER, A2A_SETTINGS } from '../a2a.constants.js';
import { ObserverReports } from '../a2a.observer-reports.js';
import { A2AObserver } from '../a2a.observer.js';
import type { A2ASettings } from '../a2a.options.js';
import { TaskEventBus } from '../events/task-event-bus.js';
import { ExecutionLog } from '../execution/execution-log.js';
import { TaskSessionRegistry } from '../execution/task-session.registry.js';
import { TaskAccess } from '../operations/task-access.js';
import { AddressPushUrlPolicy } from '../push/address-push-url.policy.js';
import { InMemoryPushNotificationConfigStore } from '../push/in-memory-push-config.store.js';
import { PredicatePushUrlPolicy } from '../push/predicate-push-url.policy.js';
import { PushDelivery } from '../push/push-delivery.js';
import { PushLog } from '../push/push-log.js';
import { PushNotificationConfigStore } from '../push/push-notification-config-store.js';
import { PushNotificationSender } from '../push/push-notification-sender.js';
import { PushNotificationOperations } from '../push/push-notification.operations.js';
import { PUSH_DEFAULTS } from '../push/push-settings.js';
import { PushSubscriptions } from '../push/push-subscriptions.js';
import { PushUrlPolicy } from '../push/push-url.policy.js';
import type { PushSettings } from '../push/push.options.js';
import { QueuedPushSender } from '../push/queued-push.sender.js';
import { TaskStore } from '../tasks/task-store.js';

/** What notifies receivers of what happens to tasks. Switched off, it is there and has nothing to do. */
export function pushProviders(): FactoryProvider[] {
  return [
    { provide: PushLog, inject: [A2A_LOGGER], useFactory: (logger: LoggerService) => new PushLog(logger) },
    {
      provide: PushNotificationConfigStore,
      inject: [A2A_SETTINGS],
      useFactory: (settings: A2ASettings) => new InMemoryPushNotificationConfigStore(settings),
    },
    {
      provide: PushUrlPolicy,
      inject: [A2A_SETTINGS],
      useFactory: (settings: A2ASettings) =>
        settings.pushUrlValidator
          ? new PredicatePushUrlPolicy(settings.pushUrlValidator)
          : new AddressPushUrlPolicy(pushOf(settings).allow),
    },
    {
      provide: PushNotificationSender,
      inject: [A2A_SETTINGS, PushNotificationConfigStore, PushUrlPolicy, A2AObserver, ExecutionLog, PushLog],
      useFactory: (
        settings: A2ASettings,
        store: PushNotificationConfigStore,
        policy: PushUrlPolicy,
        observer: A2AObserver,
        executionLog: ExecutionLog,
        log: PushLog,
      ) => {
        const push = pushOf(settings);
        const delivery = new PushDelivery({ settings: push, specRevision: settings.specRevision, store, policy });
        return new QueuedPushSender({
          settings: push,
          delivery,
          reports: new ObserverReports(observer, executionLog),
          log,
        });
      },
    },
    {
      provide: PushSubscriptions,
      inject: [A2A_SETTINGS, TaskEventBus, PushNotificationConfigStore, PushNotificationSender, PushLog],
      useFactory: (
        { historyMaxRawBytes }: A2ASettings,
        bus: TaskEventBus,
        store: PushNotificationConfigStore,
        sender: PushNotificationSender,
        log: PushLog,
      ) => new PushSubscriptions({ bus, store, sender, log, historyMaxRawBytes }),
    },
    {
      provide: PushNotificationOperations,
      inject: [
        A2A_SETTINGS,
        TaskStore,
        TaskSessionRegistry,
        TaskAccess,
        PushNotificationConfigStore,
        PushUrlPolicy,
        PushSubscriptions,
        PushLog,
      ],
      useFactory: (
        settings: A2ASettings,
        tasks: TaskStore,
        sessions: TaskSessionRegistry,
        access: TaskAccess,
        configs: PushNotificationConfigStore,
        policy: PushUrlPolicy,
        subscriptions: PushSubscriptions,
        log: PushLog,
      ) =>
        new PushNotificationOperations({
          maxPushConfigsPerTask: settings.maxPushConfigsPerTask,
          snapshotOnCreate: pushOf(settings).snapshotOnCreate,
          timeoutMs: pushOf(settings).timeoutMs,
          tasks,
          sessions,
          access,
          configs,
          policy,
          subscriptions,
          log,
        }),
    },
  ];
}

function pushOf({ push }: A2ASettings): PushSettings {
  return push === false ? PUSH_DEFAULTS : push;
}
