import { opendir, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgentCardError, type AgentCardFault } from '../card/agent-card.error.js';
import { skillIdOf } from '../card/skill-id.js';
import type { SkillDescriptor } from './skill-descriptor.js';
import { codeOf, readSkillFile } from './skill-file.reader.js';
import { readFrontmatter } from './skill-frontmatter.js';
import { checkedCount, checkedFolder, checkedSeconds } from './skill-options.js';
import { SkillSource } from './skill-source.js';

const MAX_ENTRIES = 10_000;

/**
 * How a {@link SkillDirectory} reads.
 *
 * @publicApi
 */
export interface SkillDirectoryOptions {
  /** Seconds that pass before the folder is looked at again. Default 5. */
  readonly checkIntervalSeconds?: number;
  /** Number of skills; more are a fault. Default 200. */
  readonly maxSkills?: number;
  /** Bytes of one `SKILL.md`; larger ones are a fault. Default 1 MiB. */
  readonly maxFileBytes?: number;
}

interface KnownFile {
  readonly stamp: string;
  readonly skill: SkillDescriptor;
}

/**
 * Skills from a folder of folders, each with a `SKILL.md` whose YAML head has `name` and `description`, and may have
 * `id`, `tags`, `examples`, `inputModes`, `outputModes`, `version` and `license`, all but the name also under
 * `metadata`. Bodies are not read. Folders without such a file, and those whose name begins with a dot, are passed over.
 *
 * Everybody sees all of them. For skills that only some may see, give a function that filters {@link getSkills}.
 *
 * @publicApi
 */
export class SkillDirectory extends SkillSource {
  override readonly sameForAll = true;
  override readonly publicMaxAgeSeconds: number;
  private readonly root: string;
  private readonly maxSkills: number;
  private readonly maxFileBytes: number;
  private known = new Map<string, KnownFile>();
  private skills: Promise<readonly SkillDescriptor[]> | undefined;
  private lookedAt = -Infinity;
  private looking = false;

  /**
   * @param folder relative to the working directory, or absolute
   * @throws A2AConfigurationError
   */
  constructor(folder: string, options: SkillDirectoryOptions = {}) {
    super();
    const { checkIntervalSeconds = 5, maxSkills = 200, maxFileBytes = 1024 * 1024 } = options;
    this.root = resolve(checkedFolder(folder));
    this.publicMaxAgeSeconds = checkedSeconds('checkIntervalSeconds', checkIntervalSeconds);
    this.maxSkills = checkedCount('maxSkills', maxSkills);
    this.maxFileBytes = checkedCount('maxFileBytes', maxFileBytes);
  }

  /**
   * The skills in the order of their folders' names, from memory while the files are what they were.
   *
   * @throws AgentCardError that names every fault of every file
   */
  override getSkills(): Promise<readonly SkillDescriptor[]> {
    const old = performance.now() - this.lookedAt >= this.publicMaxAgeSeconds * 1000;
    if (this.skills !== undefined && (this.looking || !old)) return this.skills;
    this.looking = true;
    this.skills = this.look().finally(() => {
      this.looking = false;
      this.lookedAt = performance.now();
    });
    return this.skills;
  }

  private async look(): Promise<readonly SkillDescriptor[]> {
    const root = await this.realRoot();
    const faults: AgentCardFault[] = [];
    const next = new Map<string, KnownFile>();
    for (const folder of await this.folders(root)) {
      const before = this.known.get(folder);
      const fault = await this.lookInto(root, folder, before, next);
      if (fault !== undefined) faults.push({ path: `${folder}/SKILL.md`, description: fault });
      if (next.size > this.maxSkills) throw this.unusable(`holds more skills than maxSkills (${this.maxSkills})`);
    }
    this.known = next;
    if (faults.length > 0) throw new AgentCardError(faults);
    return [...next.values()].map(({ skill }) => skill);
  }

  /** @returns what is wrong with the file */
  private async lookInto(
    root: string,
    folder: string,
    before: KnownFile | undefined,
    next: Map<string, KnownFile>,
  ): Promise<string | undefined> {
    const result = await readSkillFile(root, folder, this.maxFileBytes, before?.stamp);
    if (result.kind === 'fault') return result.fault;
    if (result.kind === 'same' && before !== undefined) next.set(folder, before);
    if (result.kind !== 'file') return undefined;
    const { skill, fault } = readFrontmatter(result.file.head);
    if (fault !== undefined) return fault;
    next.set(folder, { stamp: result.file.stamp, skill: withStableId(skill, folder) });
    return undefined;
  }

  private async realRoot(): Promise<string> {
    try {
      return await realpath(this.root);
    } catch (error) {
      throw this.unusable(codeOf(error) === 'ENOENT' ? 'there is no such folder' : `cannot be read (${codeOf(error)})`);
    }
  }

  private async folders(root: string): Promise<string[]> {
    const folders: string[] = [];
    let entries = 0;
    for await (const entry of await opendir(root).catch((error: unknown) => this.notAFolder(error))) {
      if (++entries > MAX_ENTRIES)
        throw this.unusable(`holds more than ${MAX_ENTRIES} entries: is it the right folder?`);
      if (!entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink())) folders.push(entry.name);
    }
    return folders.sort();
  }

  private notAFolder(error: unknown): never {
    throw this.unusable(`cannot be read as a folder (${codeOf(error)})`);
  }

  private unusable(description: string): AgentCardError {
    return new AgentCardError([{ path: this.root, description }]);
  }
}

/** A place in the list would change whenever another skill comes or goes; the name of the folder stays. */
function withStableId(skill: SkillDescriptor, folder: string): SkillDescriptor {
  if (skill.id !== undefined || !isUnnamed(skillIdOf(skill.name, 0))) return skill;
  const id = skillIdOf(folder, 0);
  return isUnnamed(id) ? skill : { ...skill, id };
}

function isUnnamed(id: string): boolean {
  return id === 'skill-0';
}
