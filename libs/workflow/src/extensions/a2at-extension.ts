/**
 * An extension of the A2A-T family.
 *
 * @publicApi
 */
export interface A2ATExtensionEntry {
  readonly name: string;
  /** Compared exactly, letter case and all. */
  readonly uri: string;
}

const extension = (name: string): A2ATExtensionEntry =>
  Object.freeze({
    name,
    uri: `https://projects.tmforum.org/a2aproject/telecommunication/extensions/${name}/v1`,
  });

/**
 * The A2A-T extensions that the engine knows.
 *
 * @publicApi
 */
export const A2ATExtension = Object.freeze({
  TASK_T: extension('Task-T'),
  NEGOTIATION_T: extension('Negotiation-T'),
  AUTHORIZATION_T: extension('Authorization-T'),
  NOTIFICATION_T: extension('Notification-T'),
});
