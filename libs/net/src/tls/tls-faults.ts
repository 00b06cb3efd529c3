const UNKNOWN_AUTHORITY =
  'nobody this client trusts has signed the certificate of the other side: give its authority with tls.ca or tls.caFile';
const WRONG_HOST =
  'the certificate of the other side is for another host: call it by a name that is in the certificate, ' +
  'which is checked whatever tls says';
const OUT_OF_TIME =
  'the certificate of the other side is not valid at this time: it has to be renewed there, or the clock set here';
const NO_REVOCATION_LIST =
  'no revocation list in force for an authority of the certificate: give a current one with tls.crl or tls.crlFile';

/** What Node finds wrong with the other side, by its code. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: WRONG_HOST,
  HOSTNAME_MISMATCH: WRONG_HOST,
  CERT_HAS_EXPIRED: OUT_OF_TIME,
  CERT_NOT_YET_VALID: OUT_OF_TIME,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  CERT_REVOKED: 'the certificate of the other side was revoked: it needs another one',
  UNABLE_TO_GET_CRL: NO_REVOCATION_LIST,
  UNABLE_TO_GET_CRL_ISSUER: NO_REVOCATION_LIST,
  CRL_HAS_EXPIRED: NO_REVOCATION_LIST,
  CRL_NOT_YET_VALID: NO_REVOCATION_LIST,
  CRL_SIGNATURE_FAILURE: NO_REVOCATION_LIST,
  CERT_SIGNATURE_FAILURE: UNKNOWN_AUTHORITY,
  CERT_CHAIN_TOO_LONG: 'the chain of certificates of the other side is too long: it has to send a shorter one',
  CERT_REJECTED: 'the certificate of the other side may not be used for this: it needs another one',
  INVALID_CA: 'an authority of the certificate may not sign others: the other side needs another certificate',
  INVALID_PURPOSE: 'the certificate of the other side may not be used for this: it needs another one',
  PATH_LENGTH_EXCEEDED: 'an authority of the certificate may not sign others: the other side needs another certificate',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the other side does not speak TLS at this port: is its URL one of http:?',
};
/** What the other side says before it hangs up; lines of OpenSSL write it differently. */
const NO_CERTIFICATE =
  /ALERT_(?:CERTIFICATE_|BAD_CERTIFICATE|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED)/;
const NO_AGREEMENT = /ALERT_HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_SHARED_CIPHER|NO_PROTOCOLS/;

/**
 * Why two sides do not come to speak TLS, and what to do about it; undefined for what is no fault of certificates or
 * settings, so that another attempt may be worth it.
 */
export function tlsFaultOf(code: string): string | undefined {
  if (Object.hasOwn(FAULTS, code)) return FAULTS[code];
  if (!code.startsWith('ERR_SSL_')) return undefined;
  if (NO_CERTIFICATE.test(code)) {
    return 'the other side does not accept who calls: give a certificate it trusts with tls.cert and tls.key';
  }
  return NO_AGREEMENT.test(code)
    ? 'the other side refuses to speak: it may want a certificate (tls.cert and tls.key), or a version of TLS that is off'
    : undefined;
}
