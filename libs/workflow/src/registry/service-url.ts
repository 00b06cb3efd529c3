import { WorkflowArgumentError } from '../errors/workflow.error.js';

/**
 * The URL of a service, without slashes at its end.
 *
 * @param name of the parameter, for errors
 * @throws WorkflowArgumentError
 */
export function serviceUrl(name: string, url: string): string {
  // The URL itself may hold a password.
  if (!URL.canParse(url)) throw new WorkflowArgumentError(`${name} must be an absolute URL`);
  const { protocol, username, password, search, hash } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new WorkflowArgumentError(`${name} must be of http or https`);
  // Nothing would send them.
  if (username !== '' || password !== '') {
    throw new WorkflowArgumentError(`${name} must hold no account: authenticate with an HttpAuthProvider`);
  }
  if (search !== '' || hash !== '') throw new WorkflowArgumentError(`${name} must have neither query nor fragment`);
  return url.trim().replace(/\/+$/, '');
}
