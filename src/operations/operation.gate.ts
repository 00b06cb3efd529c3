import {
  ExtensionSupportRequiredError,
  InvalidParamsError,
  parseExtensionsHeader,
  parseProtocolVersion,
  PermissionDeniedError,
  PROTOCOL_VERSION,
  PushNotificationNotSupportedError,
  UnsupportedOperationError,
  VersionNotSupportedError,
  type A2AMethod,
} from 'nestjs-a2a/protocol';
import type { AgentProfile } from '../agent/agent-profile.js';
import { ServerCallContext, type CallBinding, type CallerPresence } from '../agent/server-call-context.js';
import { isPending } from '../awaitable.js';
import type { A2AUser } from '../authorization/a2a-user.js';
import type { TenantResolver } from '../authorization/tenant.resolver.js';
import { OPERATIONS, type OperationEntry, type OperationResult } from './operation-table.js';
import type { RequestHandler } from './request-handler.js';

const EVENT_ID = /^\d{1,15}$/;

/** A call as a transport hands it over: who calls is known, what is asked for is not yet looked at. */
export interface CallEntry {
  readonly user: A2AUser;
  readonly binding: CallBinding;
  /** `A2A-Version` as sent, by header or query. */
  readonly version: string | undefined;
  /** The tenant that the path names. */
  readonly tenant: string | undefined;
  readonly headers: ServerCallContext['headers'];
  readonly request: object;
  readonly caller: CallerPresence;
}

/** What a call gave, and the call itself, whose extensions the answer names. */
export interface GateResult {
  readonly call: ServerCallContext;
  readonly result: OperationResult;
}

/** What the gate needs of its agent. */
export interface GateServices {
  readonly handler: RequestHandler;
  readonly tenants: TenantResolver;
  profile(): AgentProfile;
}

/**
 * The one gate that every call on every binding passes, in one order: version, shape of params, required extensions,
 * capability, fields, tenant, operation. What comes before (path, authentication, media type, size, parse, envelope,
 * method) is the transport's.
 */
export class OperationGate {
  constructor(private readonly services: GateServices) {}

  /** @throws VersionNotSupportedError when the caller speaks another version of the protocol */
  checkVersion(version: string | undefined): void {
    const parsed = parseProtocolVersion(version);
    if (parsed === 'absent') return;
    if (parsed === 'invalid' || parsed.text !== PROTOCOL_VERSION) {
      throw new VersionNotSupportedError(version ?? '', [PROTOCOL_VERSION]);
    }
  }

  /** @throws A2AError */
  async pass(method: A2AMethod, params: unknown, entry: CallEntry): Promise<GateResult> {
    this.checkVersion(entry.version);
    const operation = OPERATIONS[method];
    if (typeof params !== 'object' || params === null || Array.isArray(params)) {
      throw new InvalidParamsError([{ field: 'params', description: 'must be an object' }]);
    }
    const profile = this.services.profile();
    const asked = parseExtensionsHeader(entry.headers['a2a-extensions']);
    this.checkExtensions(operation, profile, asked);
    this.checkCapability(operation, profile);
    const carryOut = operation.prepare(params);
    const tenant = tenantOf(entry.tenant, params);
    const asking = this.services.tenants.mayUse(entry.user, tenant);
    if ((isPending(asking) ? await asking : asking) !== true) {
      throw new PermissionDeniedError('This tenant is not open to you');
    }
    const call = new ServerCallContext({
      user: entry.user,
      tenant,
      protocolVersion: PROTOCOL_VERSION,
      binding: entry.binding,
      requestedExtensions: asked.filter((uri) => profile.extensions.has(uri)),
      headers: entry.headers,
      request: entry.request,
      caller: entry.caller,
    });
    return { call, result: await carryOut(this.services.handler, call, lastEventIdOf(entry.headers)) };
  }

  private checkExtensions(operation: OperationEntry, profile: AgentProfile, asked: readonly string[]): void {
    if (!operation.takesMessage) return;
    const missing = profile.requiredExtensions.filter((uri) => !asked.includes(uri));
    if (missing.length > 0) throw new ExtensionSupportRequiredError(missing);
  }

  private checkCapability({ capability }: OperationEntry, profile: AgentProfile): void {
    if (capability === undefined || profile[capability]) return;
    if (capability === 'pushNotifications') throw new PushNotificationNotSupportedError();
    const what = capability === 'streaming' ? 'does not stream' : 'has no extended card';
    throw new UnsupportedOperationError(`This agent ${what}`);
  }
}

/** The path wins; a body that names another tenant is a fault. */
function tenantOf(inPath: string | undefined, params: object): string {
  const inBody: unknown = 'tenant' in params ? params.tenant : undefined;
  const named = typeof inBody === 'string' ? inBody : '';
  if (inPath === undefined || named === '' || named === inPath) return inPath ?? named;
  throw new InvalidParamsError([{ field: 'tenant', description: 'is not the tenant that the path names' }]);
}

function lastEventIdOf(headers: ServerCallContext['headers']): number | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && EVENT_ID.test(id) ? Number(id) : undefined;
}
