/**
 * A workflow that an orchestration center found.
 *
 * @publicApi
 */
export interface WorkflowSearchResult {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly name: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  readonly createdAt: string;
  /** How well it fits; 1 when the center does not say. */
  readonly score: number;
  readonly userIntent: string;
  readonly relatedPreflow: string;
  readonly tasksSummary: string;
}
