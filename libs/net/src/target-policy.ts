/** May this URL, and this address, be reached? */
export interface TargetPolicy {
  /**
   * Judges what can be known without resolving the name: scheme, userinfo, fragment, port, host name, IP literals.
   *
   * @throws ForbiddenTargetError
   */
  checkUrl(url: URL): void;

  /**
   * Judges one address that the host of the URL resolves to.
   *
   * @throws ForbiddenTargetError
   */
  checkAddress(address: string, url: URL): void;
}
