import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { PROTOCOL_VERSION, ProtocolBinding } from 'nestjs-a2a/protocol';
import type { A2ASettings } from '../a2a.options.js';
import type { MountedInterface } from '../agent/card/agent-card.assembler.js';
import {
  interfaceBaseUrl,
  interfaceUrl,
  type InterfaceUrlInput,
  type ListeningAddress,
} from '../agent/card/interface-url.js';
import type { AgentControllers } from './agent-controllers.types.js';
import { globalPrefixOf, keepOutOfGlobalPrefix } from './card/global-prefix.js';
import { claimPaths } from './claimed-paths.js';
import { installHttpIntake } from './host/http-intake-installer.js';
import { mountedPaths } from './host/mounted-routes.js';
import { LEGACY_CARD_PATH, LegacyMount } from './legacy/legacy-mount.js';
import { mountAt } from './mount-at.js';

/** Where the agent's controllers are mounted: gives them their paths before Nest registers routes, and knows the result. */
export class HttpMount {
  private readonly cardPath: string;
  private readonly jwksPath: string | undefined;
  private readonly legacy: LegacyMount;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly app: ApplicationConfig,
    private readonly controllers: AgentControllers,
    private readonly settings: A2ASettings,
    /** The agent's own path, before every other. */
    private readonly agentPath: string,
  ) {
    const { jsonRpc, rest, slashAliases, tenants, tenantAliases, card, jwks, routeSettings } = controllers;
    const { enabled, slashActionAliasesEnabled: aliases, tenantRoutes } = settings;
    const restPath = agentPath + settings.pathPrefix;
    mountAt(jsonRpc, enabled && `${agentPath}${settings.jsonRpcPath}`);
    mountAt(rest, enabled && restPath);
    mountAt(slashAliases, enabled && aliases && restPath);
    mountAt(tenants, enabled && tenantRoutes && restPath);
    mountAt(tenantAliases, enabled && aliases && tenantRoutes && restPath);
    this.cardPath = `${agentPath}/.well-known/agent-card.json`;
    mountAt(card, enabled && `${agentPath}/.well-known`);
    const jwksPath = settings.cardSigning?.jwksPath;
    this.jwksPath = jwksPath === undefined ? undefined : `${agentPath}${jwksPath}`;
    mountAt(jwks, enabled && this.jwksPath !== undefined && this.jwksPath);
    this.legacy = new LegacyMount(controllers.legacy, settings, agentPath);
    routeSettings.raise(settings.maxRequestBytes);
    routeSettings.specRevision = settings.specRevision;
    if (enabled) installHttpIntake(host);
  }

  /** The last word before Nest registers routes. */
  beforeRoutes(): void {
    if (!this.settings.enabled) return;
    claimPaths(this.app, this.agentPath, this.exactPaths());
    this.legacy.beforeRoutes(this.app, this.host.httpAdapter?.getType());
    keepOutOfGlobalPrefix(this.app, this.cardPath);
    if (this.jwksPath !== undefined) keepOutOfGlobalPrefix(this.app, this.jwksPath);
  }

  /** The paths of the bindings that another agent might be given as well. */
  private exactPaths(): string[] {
    const { jsonRpc, rest } = this.controllers;
    const { jsonRpcPath, pathPrefix, slashActionAliasesEnabled: aliases } = this.settings;
    const base = globalPrefixOf(this.app) + this.agentPath;
    const restPath = `${base}${pathPrefix === '/' ? '' : pathPrefix}`;
    const ofRest = [`${restPath}/message:send`, ...(aliases ? [`${restPath}/message/send`] : [])];
    return [
      ...(jsonRpc ? [jsonRpcPath === '/' ? base || '/' : base + jsonRpcPath] : []),
      ...(rest ? ofRest : []),
      ...this.legacy.pathsIn(this.app),
    ];
  }

  /** What is really mounted, as the card tells it. */
  interfaces(baseUrl: string): MountedInterface[] {
    const { jsonRpcRoute, restRoute } = this.controllers.routes;
    const [jsonRpcPath] = mountedPaths(this.host, jsonRpcRoute);
    const [restPath] = mountedPaths(this.host, restRoute);
    return [
      ...interfacesAt(baseUrl, jsonRpcPath, ProtocolBinding.JSONRPC),
      ...interfacesAt(baseUrl, restPath?.replace(/\/message:verb$/, ''), ProtocolBinding.HTTP_JSON),
    ];
  }

  /** Where the paths of older peers begin: the path of a module, for one, is before what we have asked for. */
  legacyUrl(baseUrl: string): string {
    const { legacy } = this.controllers;
    const [path = ''] = legacy === undefined ? [] : mountedPaths(this.host, legacy.cardRoute);
    return interfaceUrl(baseUrl, path.slice(0, -LEGACY_CARD_PATH.length));
  }

  /** The address of the card, without what a proxy may say. */
  cardUrl(): string | undefined {
    const [path] = mountedPaths(this.host, this.controllers.routes.cardRoute);
    return path === undefined ? undefined : interfaceUrl(this.baseUrl(), path);
  }

  /** The address of the public keys. */
  jwksUrl(): string | undefined {
    const { jwksRoute } = this.controllers.routes;
    const [path] = jwksRoute === undefined ? [] : mountedPaths(this.host, jwksRoute);
    return path === undefined ? undefined : interfaceUrl(this.baseUrl(), path);
  }

  baseUrl(): string {
    return interfaceBaseUrl(this.addressInput());
  }

  addressInput(): InterfaceUrlInput {
    const server: unknown = this.host.httpAdapter?.getHttpServer();
    return {
      publicUrl: this.settings.publicUrl,
      listening: hasAddress(server) ? server.address() : null,
      protocol: isTls(server) ? 'https' : 'http',
    };
  }

  /** Calls back once the server listens; at once when it does. */
  whenListening(tell: () => void): void {
    const server: unknown = this.host.httpAdapter?.getHttpServer();
    if (!hasAddress(server)) return;
    if (server.listening) tell();
    else server.once('listening', tell);
  }
}

interface Server {
  readonly listening: boolean;
  address(): ListeningAddress | string | null;
  once(event: 'listening', listener: () => void): unknown;
}

function interfacesAt(baseUrl: string, path: string | undefined, protocolBinding: string): MountedInterface[] {
  if (path === undefined) return [];
  return [{ url: interfaceUrl(baseUrl, path), protocolBinding, protocolVersion: PROTOCOL_VERSION }];
}

function hasAddress(server: unknown): server is Server {
  return typeof server === 'object' && server !== null && 'address' in server && 'listening' in server;
}

function isTls(server: unknown): boolean {
  return typeof server === 'object' && server !== null && 'setSecureContext' in server;
}
