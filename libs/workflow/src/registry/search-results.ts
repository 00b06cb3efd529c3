import type { WorkflowSearchResult } from '../model/workflow-search-result.js';
import type { WireObject } from '../model/parse-step.js';

/** Reads what a center has found, as it writes it. What is missing has a default. */
export function searchResult(item: WireObject): WorkflowSearchResult {
  const { tags, score, description } = item;
  return Object.freeze({
    workflowId: textOf(item, 'workflow_id') ?? textOf(item, 'id') ?? '',
    workflowType: textOf(item, 'workflow_type') ?? '',
    name: textOf(item, 'name') ?? '',
    description: typeof description === 'string' ? description : null,
    tags: Object.freeze(Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : []),
    createdAt: textOf(item, 'created_at') ?? '',
    score: scoreOf(score),
    userIntent: textOf(item, 'user_intent') ?? '',
    relatedPreflow: textOf(item, 'related_preflow') ?? '',
    tasksSummary: textOf(item, 'tasks_summary') ?? '',
  });
}

function textOf(item: WireObject, key: string): string | undefined {
  const value = item[key];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? value : undefined;
}

function scoreOf(score: unknown): number {
  return typeof score === 'number' && Number.isFinite(score) ? score : 1;
}
