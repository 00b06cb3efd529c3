import type { A2AModuleOptions, A2ASettings } from '../a2a.options.js';
import { A2AConfigurationError, type ConfigurationFault } from './a2a-configuration.error.js';
import { A2A_DEFAULTS } from './a2a-defaults.js';
import { findSigningConflicts, readCardSigning } from './card-signing.reader.js';
import { OPTION_NAMES } from './option-names.js';
import { findOptionFaults } from './options.validator.js';
import { normalisePath } from './path-option.js';
import { normalisePublicUrl } from './public-url-option.js';
import { resolvePushSettings } from '../push/push-settings.js';

/** Paths of older peers that nothing else can be served at. */
const LEGACY_ONLY = ['/tasks/send', '/message/send', '/.well-known/agent.json'];

/** What a source says, without the options it names and leaves undefined: those must not cover another source's. */
function said(source: A2AModuleOptions): A2AModuleOptions {
  const options: A2AModuleOptions = {};
  for (const option of OPTION_NAMES) {
    if (source[option] !== undefined) Object.assign(options, { [option]: source[option] });
  }
  return options;
}

/** Options made by `a2aConfig` repeat what the environment says; one fault is then told once. */
function once(faults: readonly ConfigurationFault[]): ConfigurationFault[] {
  const seen = new Set<string>();
  return faults.filter(({ option, description }) => {
    const key = `${option}\n${description}`;
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * Makes the settings of what was given in code, what the environment says, and the defaults; the first to say
 * something wins.
 *
 * @param options what was given in code, without the structural keys of `forRoot`
 * @param environment what {@link readA2AEnvironment} found
 * @throws A2AConfigurationError that names every fault in both sources, also of a value that another one covers
 * @publicApi
 */
export function resolveA2ASettings(options: A2AModuleOptions, environment: A2AModuleOptions): A2ASettings {
  const faults = once([...findOptionFaults(environment, 'environment'), ...findOptionFaults(options, 'code')]);
  if (faults.length > 0) throw new A2AConfigurationError(faults);

  const {
    executorCoreSize: _core,
    executorKeepAliveSeconds: _idle,
    push: pushOptions = {},
    cardSigning: signingOptions,
    ...effective
  } = {
    ...said(environment),
    ...said(options),
  };
  const merged = { ...A2A_DEFAULTS, ...effective };
  const pathPrefix = normalisePath(merged.pathPrefix) ?? merged.pathPrefix;
  const jsonRpcPath = normalisePath(merged.jsonRpcPath) ?? merged.jsonRpcPath;
  // Express takes no notice of letter case by default.
  if (pathPrefix.toLowerCase() === jsonRpcPath.toLowerCase()) {
    const description = `${JSON.stringify(jsonRpcPath)} is the pathPrefix as well; the two bindings need paths of their own`;
    throw new A2AConfigurationError([{ option: 'jsonRpcPath', description }]);
  }
  if (merged.legacyAliases && LEGACY_ONLY.includes(jsonRpcPath.toLowerCase())) {
    const description = `${JSON.stringify(jsonRpcPath)} is a path of legacyAliases as well; JSON-RPC needs another one`;
    throw new A2AConfigurationError([{ option: 'jsonRpcPath', description }]);
  }
  const publicUrl = merged.publicUrl === undefined ? undefined : normalisePublicUrl(merged.publicUrl);
  const anonymousList = merged.anonymousList ?? (publicUrl === undefined ? 'all' : 'context');
  const cardSigning = signingOptions === undefined ? undefined : readCardSigning(signingOptions);
  const conflicts =
    cardSigning === undefined
      ? []
      : findSigningConflicts(cardSigning, publicUrl, [
          pathPrefix,
          jsonRpcPath,
          ...(merged.legacyAliases ? LEGACY_ONLY : []),
        ]);
  if (conflicts.length > 0) throw new A2AConfigurationError(conflicts);
  const push = pushOptions === false ? false : resolvePushSettings(pushOptions);
  return Object.freeze({ ...merged, pathPrefix, jsonRpcPath, publicUrl, anonymousList, push, cardSigning });
}
