import { describe, expect, it } from '@jest/globals';
import { interfaceBaseUrl, interfaceUrl, type InterfaceUrlInput } from './interface-url.js';

const listening = { address: '0.0.0.0', port: 3000, family: 'IPv4' };

function at(address: string, port = 3000): InterfaceUrlInput {
  return { listening: { address, port, family: address.includes(':') ? 'IPv6' : 'IPv4' }, protocol: 'http' };
}

describe('interfaceBaseUrl', () => {
  it.each([
    [at('0.0.0.0'), 'http://localhost:3000'],
    [at('::'), 'http://localhost:3000'],
    [at(''), 'http://localhost:3000'],
    [at('127.0.0.1'), 'http://127.0.0.1:3000'],
    [at('::1'), 'http://[::1]:3000'],
    [at('::ffff:10.0.0.1'), 'http://10.0.0.1:3000'],
    [at('fe80::1%eth0'), 'http://[fe80::1]:3000'],
    [at('10.0.0.1', 80), 'http://10.0.0.1'],
    [at('10.0.0.1', 443), 'http://10.0.0.1:443'],
    [{ ...at('10.0.0.1', 443), protocol: 'https' }, 'https://10.0.0.1'],
    [{ listening: '/run/app.sock', protocol: 'http' }, 'http://localhost'],
    [{ listening: null, protocol: 'https' }, 'https://localhost'],
  ] satisfies [InterfaceUrlInput, string][])('%j: %s', (input, expected) => {
    expect(interfaceBaseUrl(input)).toBe(expected);
  });

  it.each([
    ['https', 'a.example', 'https://a.example'],
    ['HTTPS', 'A.Example:443', 'https://a.example'],
    ['http', 'a.example:8080', 'http://a.example:8080'],
    ['http', '[2001:db8::1]:8080', 'http://[2001:db8::1]:8080'],
    ['https', 'svc_1.local', 'https://svc_1.local'],
    ['ftp', 'a.example', 'http://localhost:3000'],
    ['https', '', 'http://localhost:3000'],
    ['https', 'a.example/path', 'http://localhost:3000'],
    ['https', 'user@a.example', 'http://localhost:3000'],
    ['https', 'a.example, b.example', 'http://localhost:3000'],
    ['https', 'a.example:99999', 'http://localhost:3000'],
    ['https', 'a.example\r\nx: y', 'http://localhost:3000'],
    ['https', '-a', 'http://localhost:3000'],
    ['https', '[::g]', 'http://localhost:3000'],
  ])('forwarded %s %j: %s', (protocol, host, expected) => {
    expect(interfaceBaseUrl({ forwarded: { protocol, host }, listening, protocol: 'http' })).toBe(expected);
  });

  it('prefers the public URL to all else', () => {
    const input = { publicUrl: 'https://p.example/base', forwarded: { protocol: 'http', host: 'f' }, listening };
    expect(interfaceBaseUrl({ ...input, protocol: 'http' })).toBe('https://p.example/base');
  });
});

describe('interfaceUrl', () => {
  it.each([
    ['https://a.example', '/a2a/json', 'https://a.example/a2a/json'],
    ['https://a.example/', '/a2a/json', 'https://a.example/a2a/json'],
    ['https://a.example/base', '/a2a/json', 'https://a.example/base/a2a/json'],
    ['https://a.example', '/', 'https://a.example/'],
  ])('%s and %s: %s', (base, path, expected) => {
    expect(interfaceUrl(base, path)).toBe(expected);
  });
});
