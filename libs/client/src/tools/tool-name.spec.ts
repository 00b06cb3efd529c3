import { describe, expect, it } from '@jest/globals';
import { ToolNames } from './tool-name.js';

const LEGAL = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

describe('ToolNames', () => {
  it.each<[string, readonly string[], string]>([
    ['keeps what is legal', ['route-planner_2', 'Route'], 'route-planner_2'],
    ['replaces what is not', ['weather.forecast/today!'], 'weather_forecast_today'],
    ['leaves the accents out', ['Zürich à la carte'], 'Zurich_a_la_carte'],
    ['takes the next wish', ['旅行', 'Travel'], 'Travel'],
    ['has a word where nothing is legal', ['旅行', '…'], 'skill'],
    ['begins with a letter', ['3d-print'], 'skill_3d-print'],
    ['is no longer than allowed', ['x'.repeat(1000)], 'x'.repeat(64)],
  ])('%s', (_what, wishes, name) => {
    expect(new ToolNames().next(...wishes)).toBe(name);
    expect(name).toMatch(LEGAL);
  });

  it('gives each name once, whatever its letter case, length and prefix', () => {
    const names = new ToolNames('my agent');
    const long = 'y'.repeat(100);
    const given = ['a', 'A', 'a_2', 'a', long, long, '1', '__proto__'].map((wish) => names.next(wish));
    expect(given.slice(0, 4)).toEqual(['my_agent_a', 'my_agent_A_2', 'my_agent_a_2_2', 'my_agent_a_3']);
    expect(new Set(given.map((name) => name.toLowerCase())).size).toBe(given.length);
    expect(given.filter((name) => !LEGAL.test(name))).toEqual([]);
  });
});
