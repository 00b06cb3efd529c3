/**
 * The two functions of a test runner that a contract suite needs: those of Jest, Vitest, Mocha and `node:test` fit.
 *
 * @publicApi
 */
export interface ContractRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>, timeoutMillis?: number) => unknown;
}

/**
 * What every contract suite is told about its subject.
 *
 * @publicApi
 */
export interface ContractOptions<Subject> extends ContractRunner {
  /** What the suite is called in the report. */
  readonly name?: string;
  /** Makes the subject, once for each test. */
  readonly create: () => Subject | Promise<Subject>;
  /** Puts it away again, whatever became of the test. */
  readonly destroy?: (subject: Subject) => unknown;
  /** Waits until what was written is seen everywhere. Default: one turn of the event loop. */
  readonly settle?: () => Promise<void>;
  /** The limit of each test, given to `it` as it is. Default: the runner's. */
  readonly timeoutMillis?: number;
}

// Taken before a test puts fake ones in their place.
const { setImmediate: immediately } = globalThis;

/** One turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => immediately(resolve));
}

/** Registers a test that has a subject of its own. */
export function itWith<Subject>(
  options: ContractOptions<Subject>,
  name: string,
  test: (subject: Subject) => Promise<void>,
): void {
  const body = async (): Promise<void> => {
    const subject = await options.create();
    try {
      await test(subject);
    } finally {
      await options.destroy?.(subject);
    }
  };
  // Some runners take a third argument for something else.
  if (options.timeoutMillis === undefined) options.it(name, body);
  else options.it(name, body, options.timeoutMillis);
}
