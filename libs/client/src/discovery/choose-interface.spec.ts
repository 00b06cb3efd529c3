import { describe, expect, it } from '@jest/globals';
import type { AgentCard } from 'nestjs-a2a/protocol';
import { bareCard } from '../../../../test/support/bare-card.js';
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

const patchedOld = entry('patched-old', 'HTTP+JSON', '0.3.0');
const spoken = [{ binding: 'JSONRPC' }, { binding: 'https://b.example/binding' }];

const cardOf = (supportedInterfaces: AgentCard['supportedInterfaces']): AgentCard => bareCard({ supportedInterfaces });

describe('chooseInterface', () => {
  it.each<readonly [what: string, entries: AgentCard['supportedInterfaces'], choice: InterfaceChoice, chosen: unknown]>(
    [
      ['the first of the card that can be spoken', [grpc, rest, rpc], {}, rest],
      ['of two of a kind the first', [rpc, second], {}, rpc],
      ['1.0 before 0.3, whatever the order', [old, patchedOld, later, rest], {}, rest],
      ['0.3 where there is nothing newer', [later, patchedOld, old], {}, patchedOld],
      ['0.3 of the preferred kind', [patchedOld, old], { preferredProtocol: 'JSONRPC' }, old],
      ["0.3 by the client's list", [patchedOld, old], { protocols: ['JSONRPC', 'HTTP+JSON'] }, old],
      ["1.0 of the client's list before 0.3", [old, rest], { protocols: ['JSONRPC', 'HTTP+JSON'] }, rest],
      ['no 0.3 when it is not spoken', [old], { spoken }, undefined],
      ['ours with a patch number', [patched], {}, patched],
      ['no version that is none', [entry('odd', 'JSONRPC', 'one')], {}, undefined],
      ['no address that is none', [relative, rest], {}, rest],
      ['no address that is not of the web', [entry('ftp', 'JSONRPC', '1.0', 'ftp://a.example')], {}, undefined],
      ['the preferred one', [rest, rpc], { preferredProtocol: 'jsonRpc' }, rpc],
      ["the card's, where the preferred one is missing", [rest], { preferredProtocol: 'JSONRPC' }, rest],
      ["the card's, where the preferred one is too old", [old, rest], { preferredProtocol: 'JSONRPC' }, rest],
      ["the first of the client's list", [rest, rpc], { protocols: ['GRPC', 'JSONRPC', 'HTTP+JSON'] }, rpc],
      ["nothing that is not on the client's list", [rest], { protocols: ['JSONRPC'] }, undefined],
      ["a binding of somebody's own", [own, rpc], { spoken }, own],
      ['nothing of nothing', [], {}, undefined],
    ],
  )('takes %s', (_what, entries, choice, chosen) => {
    expect(chooseInterface(cardOf(entries), choice)).toEqual(chosen);
  });

  const ftp = entry('files', 'JSONRPC', '1.0', 'ftp://user:s3cret@a.example/x');
  it.each<readonly [what: string, entries: AgentCard['supportedInterfaces'], choice: InterfaceChoice, text: string]>([
    [
      'what there is and what is wanted',
      [grpc, later],
      { protocols: ['JSONRPC'] },
      'The agent offers GRPC 1.0, JSONRPC 1.1, and this client speaks JSONRPC 1.0, JSONRPC 0.3. ' +
        "What it speaks can be added with the option 'transports'",
    ],
    [
      'that there is nothing',
      [],
      {},
      'offers no interface, and this client speaks JSONRPC 1.0, HTTP+JSON 1.0, JSONRPC 0.3',
    ],
    ['which schemes cannot be called', [ftp], {}, 'offers JSONRPC 1.0 at a URL of ftp:, and'],
    ['what is no address', [relative], {}, 'offers JSONRPC 1.0 at something that is no absolute URL, and'],
    ['what the card should have', [ftp], {}, 'The card must name absolute URLs of http: or https:'],
    ['what is left out by an option', [rest], { protocols: ['JSONRPC'] }, "Add 'HTTP+JSON' to the option 'protocols'"],
  ])('says %s', (_what, entries, choice, text) => {
    const { code, message } = noUsableInterface(cardOf(entries), choice);
    expect(code).toBe('NO_USABLE_INTERFACE');
    expect(message).toContain(text);
    expect(message).not.toContain('s3cret');
  });
});
