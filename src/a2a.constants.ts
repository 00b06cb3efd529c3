/** Injection token of the options as they were given. */
export const A2A_OPTIONS = Symbol.for('nestjs-a2a.options');

/** Injection token of the resolved settings, an {@link A2ASettings}. */
export const A2A_SETTINGS = Symbol.for('nestjs-a2a.settings');

/** Injection token of the agent's path in the app, `''` for the agent at the root. */
export const A2A_AGENT_PATH = Symbol.for('nestjs-a2a.agent-path');

/** Injection token of the schemes that callers are known by, an array of {@link AuthenticationScheme}. */
export const A2A_SCHEMES = Symbol.for('nestjs-a2a.schemes');

/** Injection token of the agent's logger. */
export const A2A_LOGGER = Symbol.for('nestjs-a2a.logger');
