import { Random } from '../fuzz/random.js';
import type { Chopping, StreamFault } from './chopping-proxy.js';

/** What an agent says, and what happens to it on its way. */
export interface ChopSchedule {
  readonly chunks: readonly string[];
  readonly pauseMs: number;
  readonly chopping: Chopping;
}

/** Texts that are hard to cut in the right place. */
const SNIPPETS = [
  'word ',
  'grüezi ',
  '👋🏽',
  'データ',
  '\n',
  '\r\n',
  '\n\ndata: {}\n\n',
  ': no comment\n',
  'id: 7\n',
  '"',
  ' ',
];
const KINDS = ['cut', 'silence', 'heartbeats', 'close', 'cut'] as const;
const LINE_ENDS = ['\n', '\r', '\r\n', 'mixed'] as const;
const MOST_FRAMES_BEFORE = 8;

/** The schedule of a number: the kinds of trouble take turns, chance decides the rest. */
export function chopSchedule(seed: number, index: number): ChopSchedule {
  const random = Random.of(seed, index);
  const turn = <T>(items: readonly T[]): T => items[index % items.length] ?? random.pick(items);
  const chunks = Array.from({ length: 1 + random.below(24) }, () => random.pick(SNIPPETS));
  const heldBytes = turn([0, 0, 0, 0, 0, 200 + random.below(2000), Infinity]);
  // What is held back is silence already, and what breaks a send before its task is known cannot be mended.
  const first = turn(KINDS);
  const faults: StreamFault[] = [
    {
      kind: heldBytes > 0 && first === 'silence' ? 'cut' : first,
      afterFrames: 1 + random.below(Math.min(MOST_FRAMES_BEFORE, chunks.length + 2)),
      bytesOfNext: random.chance(0.5) ? random.below(400) : 0,
    },
  ];
  const kinds = ['cut', 'refuse', 'close', 'none', ...(heldBytes > 0 ? [] : (['silence'] as const))] as const;
  for (let more = random.below(3); more > 0; more -= 1) {
    const bytesOfNext = random.chance(0.5) ? random.below(400) : 0;
    faults.push({ kind: random.pick(kinds), afterFrames: random.below(MOST_FRAMES_BEFORE), bytesOfNext });
  }
  return {
    chunks,
    pauseMs: random.chance(0.7) ? 1 : 0,
    chopping: {
      writeBytes: turn([1, 0, 1 + random.below(60)]),
      lineEnd: turn(LINE_ENDS),
      byteOrderMark: random.chance(0.3),
      ids: random.chance(0.5),
      comments: random.chance(0.3),
      heldBytes,
      faults,
    },
  };
}
