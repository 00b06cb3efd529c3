import type { Workflow } from 'nestjs-a2a/workflow';

/** The steps before each step, near and far. */
export function ancestorsIn({ steps }: Workflow): ReadonlyMap<string, ReadonlySet<string>> {
  const before = (step: string): string[] =>
    steps.flatMap(({ name, next }) => (next.some((edge) => edge?.step === step) ? [name] : []));
  return new Map(
    steps.map(({ name }) => {
      const found = new Set<string>();
      const open = before(name);
      for (let step = open.pop(); step !== undefined; step = open.pop()) {
        if (found.has(step)) continue;
        found.add(step);
        open.push(...before(step));
      }
      return [name, found];
    }),
  );
}
