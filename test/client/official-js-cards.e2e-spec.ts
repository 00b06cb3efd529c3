import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AgentCard as SdkCard, generateAgentCardSignature } from '@a2a-js/sdk';
import { agentCardHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
import { readAgentCard } from 'nestjs-a2a/client';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { AgentDirectory } from '../../libs/client/src/discovery/agent-directory.js';
import { closeServer, portOf } from '../net/canary.js';
import { RecordingHttp } from './recording-http.js';

const card: AgentCard = {
  name: 'Official',
  description: 'An agent of the official SDK',
  version: '1.0.0',
  supportedInterfaces: [
    { url: 'https://a.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 'acme' },
  ],
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: 'Reads' } } },
      },
    },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }, { schemes: { oauth: { list: ['read'] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'Does s', tags: ['t'] }],
};

describe('cards of the official JavaScript SDK', () => {
  let server: Server;
  let url: string;
  let http: RecordingHttp;
  let served = SdkCard.fromJSON(card);
  beforeAll(async () => {
    const app = express();
    const agentCardProvider = async () => served;
    const legacyCompat = { enabled: true };
    app.use(
      '/.well-known/agent-card.json',
      agentCardHandler({ agentCardProvider, legacyCompat, cache: { maxAge: 60 } }),
    );
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${portOf(server)}`;
    http = new RecordingHttp();
  });
  afterEach(() => {
    served = SdkCard.fromJSON(card);
  });
  afterAll(async () => {
    await http.close();
    await closeServer(server);
  });

  it('are read, chosen from, kept and asked for again', async () => {
    let time = 0;
    const directory = new AgentDirectory(http, { now: () => time });
    const agent = await directory.find(url);
    expect(agent).toMatchObject({ card, dialect: '1.0', interface: card.supportedInterfaces[1] });
    const rest = await directory.find(url, { preferredProtocol: 'HTTP+JSON' });
    expect(rest.interface).toEqual(card.supportedInterfaces[2]);
    time += 60_000;
    await directory.find(url);
    expect(http.exchanges.map(({ status }) => status)).toEqual([200, 304]);
  });

  it('are verified as they were signed', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', typ: 'JOSE', kid: 'k' });
    // What it signs of security schemes is not what it serves: such a card is refused.
    const { securitySchemes: _schemes, securityRequirements: _requirements, ...open } = card;
    const trust = [{ keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k' }] } }];
    served = await sign(SdkCard.fromJSON(open));
    const agent = await new AgentDirectory(http, { trust }).find(url);
    expect(agent).toMatchObject({ card: open, signature: { kid: 'k', alg: 'ES256' } });
    served = await sign(SdkCard.fromJSON(card));
    await expect(new AgentDirectory(http, { trust }).find(url)).rejects.toMatchObject({
      code: 'AGENT_CARD_NOT_TRUSTED',
    });
  });

  it('are read as clients of 0.3 get them', async () => {
    const answer = await fetch(`${url}/.well-known/agent-card.json`);
    const old: unknown = await answer.json();
    expect(old).toMatchObject({ url: 'https://a.example/old', preferredTransport: 'JSONRPC' });
    expect(readAgentCard(old).card).toMatchObject({ name: card.name, securitySchemes: card.securitySchemes });
    const { supportedInterfaces: _interfaces, ...pure } = Object.fromEntries(Object.entries(Object(old)));
    const { card: read, dialect } = readAgentCard(pure);
    expect(dialect).toBe('0.3');
    expect(read).toEqual({
      ...card,
      supportedInterfaces: [{ url: 'https://a.example/old', protocolBinding: 'JSONRPC', protocolVersion: '0.3' }],
    });
  });
});
