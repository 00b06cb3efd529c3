import type { LookupAddress } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket, type TcpNetConnectOpts } from 'node:net';
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import type { CheckedAddress } from './checked-addresses.js';
import { ForbiddenTargetError, SafeHttpError } from './errors.js';
import { canonicalIp } from './ip-address.js';
import type { TlsContext } from './tls/tls-context.js';

/** How connections are made. */
export interface PinnedConnectorOptions {
  readonly addresses: readonly CheckedAddress[];
  readonly timeoutMs: number;
  readonly tls?: TlsContext;
  /** Sockets on their way, so that somebody can end them. */
  readonly connecting: Set<Socket>;
}

/** Connects to nothing but some addresses, whatever the name resolves to by now. */
export function pinnedConnector(options: PinnedConnectorOptions): buildConnector.connector {
  const pinned = new Set(options.addresses.map(({ address }) => canonicalIp(address)));
  return (target, callback) => {
    const secure = target.protocol === 'https:' ? secureSocket(target, options) : undefined;
    const socket = secure ?? connectTcp(tcpOptions(target, options));
    options.connecting.add(socket);
    let done = false;
    const finish = (error?: Error): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      options.connecting.delete(socket);
      if (!error) return callback(null, socket);
      socket.destroy();
      callback(error, null);
    };
    const late = (): void => finish(new SafeHttpError('TIMEOUT', `No connection within ${options.timeoutMs} ms`));
    const timer = setTimeout(late, options.timeoutMs).unref();
    // First in line, that is before TLS says its first word: a wrong machine learns not even the name.
    socket.prependOnceListener('connect', () => {
      if (!pinned.has(canonicalIp(socket.remoteAddress))) {
        finish(new ForbiddenTargetError('the connection leads to another address than the checked one'));
      }
    });
    socket.once(secure ? 'secureConnect' : 'connect', () => finish(secure && nameFault(secure, target, options)));
    // Stays for good: a socket that was given up may still fail.
    socket.on('error', (error) => finish(error));
    socket.once('close', () => finish(new SafeHttpError('CONNECT_FAILED', 'The connection was closed')));
  };
}

function tcpOptions(target: buildConnector.Options, options: PinnedConnectorOptions): TcpNetConnectOpts {
  const { addresses, timeoutMs } = options;
  return {
    host: target.hostname,
    port: Number(target.port) || (target.protocol === 'https:' ? 443 : 80),
    lookup: pinnedLookup(addresses),
    autoSelectFamily: true,
    // Node's own 250 ms would give up on a healthy address that is far away.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.floor(timeoutMs / (addresses.length + 1))),
    noDelay: true,
    keepAlive: true,
  };
}

function secureSocket(target: buildConnector.Options, options: PinnedConnectorOptions): TLSSocket {
  const { tls } = options;
  return connectTls({
    ...tcpOptions(target, options),
    ...(tls && { secureContext: tls.secureContext }),
    // The name as it was asked for, not the address: it goes into SNI, and the certificate is checked against it.
    servername: isIP(target.hostname) === 0 ? target.hostname.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 does not open this door as well.
    rejectUnauthorized: tls?.verifyChain ?? true,
  });
}

// Where Node lets every certificate pass, it no longer looks at the name either.
function nameFault(
  socket: TLSSocket,
  { hostname }: buildConnector.Options,
  { tls }: PinnedConnectorOptions,
): Error | undefined {
  if ((tls?.verifyChain ?? true) || tls?.verifyHost === false) return undefined;
  return checkServerIdentity(hostname.replace(/\.$/, ''), socket.getPeerCertificate());
}

function pinnedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  return (_host, { all, family }, callback) => {
    const wanted = family === 4 || family === 6 ? family : undefined;
    const fit: LookupAddress[] = addresses.filter((entry) => wanted === undefined || entry.family === wanted);
    const [first] = fit;
    if (!first) callback(new SafeHttpError('DNS_FAILED', 'No checked address of this family'), '');
    else if (all === true) callback(null, fit);
    else callback(null, first.address, first.family);
  };
}
