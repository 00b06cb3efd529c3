import { describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { chooseInterface, type InterfaceChoice, noUsableInterface } from './choose-interface.js';

const entry = (name: string, protocolBinding: string, protocolVersion = '1.0', url = `https://a.example/${name}`) => ({
  url,
  protocolBinding,
  protocolVersion,
  tenant: name,
});
const grpc = entry('grpc', 'GRPC', '1.0', 'a.example:50051');
const rest = entry('rest', 'HTTP+JSON');
const rpc = entry('rpc', 'JSONRPC');
const second = entry('second', 'jsonrpc');
const old = entry('old', 'JSONRPC', '0.3');
const later = entry('later', 'JSONRPC', '1.1');
const patched = entry('patched', 'JSONRPC', '1.0.1');
const own = entry('own', 'https://b.example/binding', '1.0', 'somewhere');
const relative = entry('relative', 'JSONRPC', '1.0', '/rpc');

const cardOf = (supportedInterfaces: AgentCard['supportedInterfaces']): AgentCard => ({
  name: 'A',
  description: '',
  version: '1',
  capabilities: {},
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  supportedInterfaces,
});

describe('chooseInterface', () => {
  it.each<readonly [what: string, entries: AgentCard['supportedInterfaces'], choice: InterfaceChoice, chosen: unknown]>(
    [
      ['the first of the card that can be spoken', [grpc, rest, rpc], {}, rest],
      ['of two of a kind the first', [rpc, second], {}, rpc],
      ['no version but ours', [old, later, rpc], {}, rpc],
      ['ours with a patch number', [patched], {}, patched],
      ['no version that is none', [entry('odd', 'JSONRPC', 'one')], {}, undefined],
      ['no address that is none', [relative, rest], {}, rest],
      ['no address that is not of the web', [entry('ftp', 'JSONRPC', '1.0', 'ftp://a.example')], {}, undefined],
      ['the preferred one', [rest, rpc], { preferredProtocol: 'jsonRpc' }, rpc],
      ["the card's, where the preferred one is missing", [rest], { preferredProtocol: 'JSONRPC' }, rest],
      ["the card's, where the preferred one is too old", [old, rest], { preferredProtocol: 'JSONRPC' }, rest],
      ["the first of the client's list", [rest, rpc], { protocols: ['GRPC', 'JSONRPC', 'HTTP+JSON'] }, rpc],
      ["nothing that is not on the client's list", [rest], { protocols: ['JSONRPC'] }, undefined],
      ["a binding of somebody's own", [own, rpc], { bindings: ['JSONRPC', 'https://b.example/binding'] }, own],
      ['nothing of nothing', [], {}, undefined],
    ],
  )('takes %s', (_what, entries, choice, chosen) => {
    expect(chooseInterface(cardOf(entries), choice)).toEqual(chosen);
  });

  it('says what there is and what is wanted', () => {
    expect(noUsableInterface(cardOf([grpc, old]), { protocols: ['JSONRPC'] })).toMatchObject({
      code: 'NO_USABLE_INTERFACE',
      message: 'The agent offers GRPC 1.0, JSONRPC 0.3, and this client speaks JSONRPC 1.0',
    });
    expect(noUsableInterface(cardOf([])).message).toContain('offers no interface');
  });
});
