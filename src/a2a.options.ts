import type { SpecRevision } from 'nestjs-a2a/protocol';
import type { AgentCardInput } from './agent/card/agent-card-input.js';
import type { CardSigningOptions, CardSigningSettings } from './agent/card/signing/card-signing.options.js';
import type { PushOptions, PushSettings, PushUrlValidator } from './push/push.options.js';

/**
 * What happens to a message for a task whose run is still busy: it is refused, it waits for its turn, or the running
 * executor is given it.
 *
 * @publicApi
 */
export type FollowUpMode = 'reject' | 'queue' | 'steer';

/**
 * What anonymous callers may list: everything, or only what is in a context they can name.
 *
 * @publicApi
 */
export type AnonymousListMode = 'all' | 'context';

/**
 * The plain settings of `A2AModule.forRoot()`. Each may also come from the environment variable it names; what is
 * given in code wins.
 *
 * @publicApi
 */
export interface A2AModuleOptions {
  /**
   * `false`: no route is served and nothing is started.
   * Default `true`. Environment: `A2A_SERVER_ENABLED`.
   */
  enabled?: boolean;

  /**
   * The agent card, or the path of a JSON file with it, relative to the working directory (`file:` is accepted).
   * Default `agentcard.json`. Environment (path only): `A2A_SERVER_AGENT_CARD`.
   */
  agentCard?: AgentCardInput | string;

  /**
   * Path of the HTTP+JSON (REST) binding; `/` is allowed.
   * Default `/a2a/json`. Environment: `A2A_SERVER_PATH_PREFIX`.
   */
  pathPrefix?: string;

  /**
   * Path of the JSON-RPC binding; `/` is allowed.
   * Default `/a2a/jsonrpc`. Environment: `A2A_SERVER_JSON_RPC_PATH`.
   */
  jsonRpcPath?: string;

  /**
   * Absolute http(s) URL that clients reach this server at; base of the URLs in the card.
   * Default: none, the card's URLs come from trusted proxy headers or the listening address.
   * Environment: `A2A_SERVER_PUBLIC_URL`.
   */
  publicUrl?: string;

  /**
   * Also serve `/message/send` and the like, for gateways that refuse colons in paths.
   * Default `false`. Environment: `A2A_SERVER_SLASH_ACTION_ALIASES_ENABLED`.
   */
  slashActionAliasesEnabled?: boolean;

  /**
   * Also serve peers from before A2A 1.0: the older card at `/.well-known/agent.json`, and their exchange at
   * `/tasks/send`, `/message:send`, `/message/send` and the agent's own path, outside the app's global prefix.
   * Default `false`. Environment: `A2A_SERVER_LEGACY_ALIASES`.
   */
  legacyAliases?: boolean;

  /**
   * How long a blocking send waits for the task, in seconds; the work goes on afterwards. `0`: without limit.
   * Default 30. Environment: `A2A_SERVER_AGENT_TIMEOUT_SECONDS`.
   */
  agentTimeoutSeconds?: number;

  /**
   * How long one run may last, in seconds; beyond it the task is FAILED. `0`: without limit.
   * Default 0. Environment: `A2A_SERVER_MAX_RUN_SECONDS`.
   */
  maxRunSeconds?: number;

  /**
   * How long, in seconds, saving and handing out may take after the executor returned.
   * Default 5. Environment: `A2A_SERVER_CONSUMPTION_TIMEOUT_SECONDS`.
   */
  consumptionTimeoutSeconds?: number;

  /**
   * Shared store: how long, in seconds, another replica's final state is waited for.
   * Default 1. Environment: `A2A_SERVER_RECONCILIATION_TIMEOUT_SECONDS`.
   */
  reconciliationTimeoutSeconds?: number;

  /**
   * Number of runs at once.
   * Default 256. Environment: `A2A_SERVER_EXECUTOR_MAX_SIZE`.
   */
  executorMaxSize?: number;

  /**
   * Accepted for settings taken over from Spring, without effect here: runs are not threads.
   * Default: none. Environment: `A2A_SERVER_EXECUTOR_CORE_SIZE`.
   */
  executorCoreSize?: number;

  /**
   * Accepted for settings taken over from Spring (seconds), without effect here: runs are not threads.
   * Default: none. Environment: `A2A_SERVER_EXECUTOR_KEEP_ALIVE_SECONDS`.
   */
  executorKeepAliveSeconds?: number;

  /**
   * Number of runs that may wait for a free place; beyond it callers are told to try again later.
   * Default 1024. Environment: `A2A_SERVER_EXECUTOR_QUEUE_CAPACITY`.
   */
  executorQueueCapacity?: number;

  /**
   * Seconds between the comments that keep a quiet stream open. `0`: none are sent.
   * Default 15. Environment: `A2A_SERVER_HEARTBEAT_INTERVAL_SECONDS`.
   */
  heartbeatIntervalSeconds?: number;

  /**
   * Largest request body, in bytes; beyond it 413.
   * Default 1048576 (1 MiB). Environment: `A2A_SERVER_MAX_REQUEST_BYTES`.
   */
  maxRequestBytes?: number;

  /**
   * A send that does not wait gets a task after so many milliseconds at the latest.
   * Default 100. Environment: `A2A_SERVER_TASK_CREATION_DELAY_MS`.
   */
  taskCreationDelayMs?: number;

  /**
   * Raw file parts of more bytes are left out of answers and of the finished task in the store.
   * Default 65536. Environment: `A2A_SERVER_HISTORY_MAX_RAW_BYTES`.
   */
  historyMaxRawBytes?: number;

  /**
   * In-memory store: number of tasks kept; finished ones leave first, running ones never do.
   * Default 10000. Environment: `A2A_SERVER_MAX_TASKS`.
   */
  maxTasks?: number;

  /**
   * In-memory store: how long a finished task is kept, in seconds. `0`: until room is needed.
   * Default 86400 (a day). Environment: `A2A_SERVER_TASK_TTL_SECONDS`.
   */
  taskTtlSeconds?: number;

  /**
   * A task that waits for a person longer than so many seconds is CANCELED. `0`: never.
   * Default 86400 (a day). Environment: `A2A_SERVER_WAITING_TTL_SECONDS`.
   */
  waitingTtlSeconds?: number;

  /**
   * Largest task, in bytes; an event that makes it larger is refused to the agent's author.
   * Default 16777216 (16 MiB). Environment: `A2A_SERVER_MAX_TASK_BYTES`.
   */
  maxTaskBytes?: number;

  /**
   * In-memory store: bytes of all tasks together; when full, new tasks get 503.
   * Default 1073741824 (1 GiB). Environment: `A2A_SERVER_MAX_STORE_BYTES`.
   */
  maxStoreBytes?: number;

  /**
   * Number of streams that follow one task; the next one gets 429.
   * Default 64. Environment: `A2A_SERVER_MAX_SUBSCRIBERS_PER_TASK`.
   */
  maxSubscribersPerTask?: number;

  /**
   * Bytes that may wait for one slow reader, its socket's included; beyond it that reader is cut.
   * Default 4194304 (4 MiB). Environment: `A2A_SERVER_MAX_READER_BUFFER_BYTES`.
   */
  maxReaderBufferBytes?: number;

  /**
   * Number of push notification configs of one task.
   * Default 32. Environment: `A2A_SERVER_MAX_PUSH_CONFIGS_PER_TASK`.
   */
  maxPushConfigsPerTask?: number;

  /**
   * How long runs are given to end when the app shuts down, in seconds.
   * Default 10. Environment: `A2A_SERVER_SHUTDOWN_TIMEOUT_SECONDS`.
   */
  shutdownTimeoutSeconds?: number;

  /**
   * How long an executor is given to end by itself after a cancel, in seconds.
   * Default 5. Environment: `A2A_SERVER_CANCEL_GRACE_SECONDS`.
   */
  cancelGraceSeconds?: number;

  /**
   * How long after a task's end a cut stream may still be taken up where it was cut, in seconds.
   * Default 60. Environment: `A2A_SERVER_REPLAY_GRACE_SECONDS`.
   */
  replayGraceSeconds?: number;

  /**
   * Number of runs one caller may have at once. `0`: without limit.
   * Default 0. Environment: `A2A_SERVER_MAX_RUNS_PER_OWNER`.
   */
  maxRunsPerOwner?: number;

  /**
   * Number of tasks one caller may have in the store. `0`: without limit.
   * Default 0. Environment: `A2A_SERVER_MAX_TASKS_PER_OWNER`.
   */
  maxTasksPerOwner?: number;

  /**
   * Number of failed logins one address may have in a minute; beyond it 429. It needs an app that says which proxies it
   * trusts, so that addresses are those of callers. `0`: without limit.
   * Default 0. Environment: `A2A_SERVER_MAX_FAILED_LOGINS`.
   */
  maxFailedLogins?: number;

  /**
   * What happens to a message for a busy task.
   * Default `reject`. Environment: `A2A_SERVER_FOLLOW_UPS`.
   */
  followUps?: FollowUpMode;

  /**
   * A send stream closes when the agent asks for input; a subscription stays open either way.
   * Default `true`. Environment: `A2A_SERVER_CLOSE_STREAM_ON_INPUT_REQUIRED`.
   */
  closeStreamOnInputRequired?: boolean;

  /**
   * Refuse parts whose media type neither the card nor a skill names as input.
   * Default `true`. Environment: `A2A_SERVER_CHECK_INPUT_MODES`.
   */
  checkInputModes?: boolean;

  /**
   * Hold agents to the strict table of task state transitions.
   * Default `false`. Environment: `A2A_SERVER_STRICT_TRANSITIONS`.
   */
  strictTransitions?: boolean;

  /**
   * Revision of the specification that decides the error table and the REST media type.
   * Default `1.0.1`. Environment: `A2A_SERVER_SPEC_REVISION`.
   */
  specRevision?: SpecRevision;

  /**
   * Also serve the routes with a tenant in the path.
   * Default `false`. Environment: `A2A_SERVER_TENANT_ROUTES`.
   */
  tenantRoutes?: boolean;

  /**
   * What anonymous callers, who count as one owner, may list.
   * Default `all` without `publicUrl` (development), `context` with it. Environment: `A2A_SERVER_ANONYMOUS_LIST`.
   */
  anonymousList?: AnonymousListMode;

  /**
   * How push notifications are sent, and to whom. `false`: they are not, and the card says so.
   * Default: to receivers on the public internet, over https.
   */
  push?: PushOptions | false;

  /**
   * Decides by itself which URLs may be notified: neither the rules of `push.allow` nor addresses count any more. For
   * tests and closed networks. Default: none.
   */
  pushUrlValidator?: PushUrlValidator;

  /**
   * Signs the agent's cards. Needs `publicUrl`: a signature over addresses that a request may choose would be worth
   * nothing. Default: cards are not signed.
   */
  cardSigning?: CardSigningOptions;
}

/** Options that are taken and then play no part. */
export type IneffectiveOption = 'executorCoreSize' | 'executorKeepAliveSeconds';

/**
 * The options after the environment and the defaults were filled in: paths and URLs without a trailing slash.
 *
 * @publicApi
 */
export interface A2ASettings extends Readonly<
  Required<Omit<A2AModuleOptions, IneffectiveOption | 'publicUrl' | 'push' | 'pushUrlValidator' | 'cardSigning'>>
> {
  /** Absolute http(s) URL without a trailing slash; `undefined` when none was given. */
  readonly publicUrl: string | undefined;
  /** `false` when push notifications are switched off. */
  readonly push: PushSettings | false;
  readonly pushUrlValidator: PushUrlValidator | undefined;
  /** `undefined` when cards are not signed. */
  readonly cardSigning: CardSigningSettings | undefined;
}
