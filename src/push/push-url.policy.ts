/**
 * Says which receivers may be notified. The class is its own injection token.
 *
 * A URL is judged three times: when a config is made, when a notification is about to be sent (the rules, or the name
 * behind them, may have changed), and for each address that its host then resolves to. A connection is made to an
 * address that was judged, and to no other. A judgement that takes longer than `push.timeoutMs` has failed.
 *
 * @publicApi
 */
export abstract class PushUrlPolicy {
  /**
   * Whether a client may register this URL; a refusal is answered as invalid params.
   *
   * @param url an absolute http or https URL, as the client wrote it
   */
  abstract mayRegister(url: string): boolean | Promise<boolean>;

  /** Whether this URL may be called now. */
  abstract mayDeliver(url: string): boolean | Promise<boolean>;

  /**
   * Whether this address may be called for the URL. One that may not is enough for nothing to be sent.
   *
   * @param address an IPv4 or IPv6 address that the URL's host resolves to
   */
  abstract mayConnect(address: string, url: string): boolean;
}
