import type { A2AModuleOptions, A2ASettings } from '../a2a.options.js';
import { AgentCardError } from '../agent/card/agent-card.error.js';
import { normaliseAgentCard } from '../agent/card/agent-card.normaliser.js';
import { StaticAgentCardProvider } from '../agent/card/static-agent-card.provider.js';
import type { CardWiring } from '../agent/card/card-wiring.js';
import { A2AConfigurationError, type ConfigurationFault } from './a2a-configuration.error.js';
import { A2A_DEFAULTS } from './a2a-defaults.js';
import { readA2AEnvironment } from './environment.reader.js';
import { resolveA2ASettings } from './settings.resolver.js';

/** The most that a card in the options may claim: whether it holds is checked again when everything is wired. */
const WIDEST: CardWiring = { streaming: true, pushNotifications: true, extendedAgentCard: true };

/**
 * The settings of an agent at its start, from options, environment and defaults. A card in the options is looked at
 * here too, so that one error names every fault.
 *
 * @param cardFromOptions false when the host provides the card otherwise
 * @param schemesToCome whether the card's security schemes are completed later
 * @throws A2AConfigurationError
 */
export function startupSettings(
  options: A2AModuleOptions,
  cardFromOptions: boolean,
  schemesToCome = false,
): A2ASettings {
  const environment = readA2AEnvironment(process.env);
  let settings: A2ASettings | undefined;
  let faults: readonly ConfigurationFault[] = [];
  try {
    settings = resolveA2ASettings(options, environment);
  } catch (error) {
    if (!(error instanceof A2AConfigurationError)) throw error;
    ({ faults } = error);
  }
  const enabled = settings?.enabled ?? true;
  const card = settings?.agentCard ?? options.agentCard ?? environment.agentCard ?? A2A_DEFAULTS.agentCard;
  const all = cardFromOptions && enabled ? [...faults, ...cardFaults(card, schemesToCome)] : faults;
  if (settings === undefined || all.length > 0) throw new A2AConfigurationError(all);
  return settings;
}

function cardFaults(
  source: ConstructorParameters<typeof StaticAgentCardProvider>[0],
  schemesToCome: boolean,
): ConfigurationFault[] {
  try {
    normaliseAgentCard(new StaticAgentCardProvider(source).getCard(), WIDEST, schemesToCome ? 'later' : []);
    return [];
  } catch (error) {
    if (!(error instanceof AgentCardError)) throw error;
    return error.faults.map(({ path, description }) => ({
      option: path === '' ? 'agentCard' : `agentCard.${path}`,
      description,
    }));
  }
}
