import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { AgentCardDocument } from './agent-card.document.js';
import { normaliseAgentCard } from './agent-card.normaliser.js';
import { answerCardRequest } from './card-request.js';

const STARTED = new Date('2026-03-01T10:20:30.700Z');
const custom = { url: 'nats://x', protocolBinding: 'https://x.example/nats', protocolVersion: '1.0' };
const { card } = normaliseAgentCard(
  { name: 'Réçipes', skills: [{ name: 'Find' }], supportedInterfaces: [custom] },
  { streaming: true, pushNotifications: false, extendedAgentCard: false },
);
const mounted = [
  { url: 'https://a.example/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  { url: 'https://a.example/a2a/json', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 't' },
] as const;
const document = AgentCardDocument.of(card, mounted, STARTED);

describe('AgentCardDocument', () => {
  it('holds the finished card, with nothing but what the protocol knows', () => {
    expect(JSON.parse(document.json)).toEqual({
      name: 'Réçipes',
      description: '',
      supportedInterfaces: [
        { url: 'https://a.example/a2a/jsonrpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://a.example/a2a/json', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: 't' },
        custom,
      ],
      version: '1.0.0',
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'find', name: 'Find', description: '', tags: ['find'] }],
    });
    expect(document.bytes.toString('utf8')).toBe(document.json);
  });

  it('has a strong tag of the bytes and the time of the start', () => {
    expect(document.etag).toBe(`"${createHash('sha256').update(document.json, 'utf8').digest('hex')}"`);
    expect(document.lastModified).toBe('Sun, 01 Mar 2026 10:20:30 GMT');
    expect(AgentCardDocument.of(card, mounted, new Date()).etag).toBe(document.etag);
    expect(AgentCardDocument.of(card, mounted.slice(1), STARTED).etag).not.toBe(document.etag);
  });
});

describe('answerCardRequest', () => {
  const validators = {
    etag: document.etag,
    'last-modified': 'Sun, 01 Mar 2026 10:20:30 GMT',
    'cache-control': 'public, max-age=3600',
  };

  it('sends the card', () => {
    expect(answerCardRequest(document, {})).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', ...validators },
      body: document.json,
    });
  });

  it('repeats what caches need on 304', () => {
    expect(answerCardRequest(document, { ifNoneMatch: document.etag })).toEqual({
      status: 304,
      headers: validators,
      body: '',
    });
  });

  it.each([
    ['ETAG', 304],
    ['W/ETAG', 304],
    ['"x", ETAG', 304],
    ['"x" , W/"y",ETAG , "z"', 304],
    ['"x,y", ETAG', 304],
    [', ,ETAG', 304],
    ['*', 304],
    [' * ', 304],
    ['"x"', 200],
    ['"x", W/"y"', 200],
    ['"*"', 200],
    ['ETAG x', 200],
    ['w/ETAG', 200],
    ['UNQUOTED', 200],
    ['', 200],
  ])('If-None-Match: %s: %i', (header, status) => {
    const ifNoneMatch = header.replace('UNQUOTED', document.etag.slice(1, -1)).replace('ETAG', document.etag);
    expect(answerCardRequest(document, { ifNoneMatch }).status).toBe(status);
  });

  it.each([
    ['Sun, 01 Mar 2026 10:20:30 GMT', 304],
    ['Sun, 01 Mar 2026 10:20:31 GMT', 304],
    ['Sun, 01 Mar 2026 10:20:29 GMT', 200],
    ['Sunday, 01-Mar-26 10:20:30 GMT', 304],
    ['Sun Mar  1 10:20:30 2026', 304],
    ['Sun Mar  1 10:20:29 2026', 200],
    ['2026-03-02T00:00:00Z', 200],
    ['tomorrow', 200],
    ['Sun, 99 Foo 2026 10:20:30 GMT', 200],
    ['', 200],
  ])('If-Modified-Since: %s: %i', (ifModifiedSince, status) => {
    expect(answerCardRequest(document, { ifModifiedSince }).status).toBe(status);
  });

  it('takes no notice of If-Modified-Since beside If-None-Match', () => {
    const ifModifiedSince = 'Sun, 01 Mar 2026 10:20:30 GMT';
    expect(answerCardRequest(document, { ifNoneMatch: '"x"', ifModifiedSince }).status).toBe(200);
  });
});
