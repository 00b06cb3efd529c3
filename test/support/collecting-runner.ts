import type { ContractRunner } from 'nestjs-a2a/testing';

/** A runner that only keeps what is registered, to run it when a test says so. */
export class CollectingRunner implements ContractRunner {
  private readonly path: string[] = [];
  private readonly tests = new Map<string, () => Promise<void>>();
  readonly timeouts: (number | undefined)[] = [];

  readonly describe = (name: string, body: () => void): void => {
    this.path.push(name);
    body();
    this.path.pop();
  };

  readonly it = (name: string, body: () => Promise<void>, timeoutMillis?: number): void => {
    const full = [...this.path, name].join(' > ');
    if (this.tests.has(full)) throw new Error(`Two tests have the name ${full}`);
    this.tests.set(full, body);
    this.timeouts.push(timeoutMillis);
  };

  get names(): string[] {
    return [...this.tests.keys()];
  }

  /** Runs everything. @returns the names of the tests that failed, with what they said */
  async failures(): Promise<Map<string, string>> {
    const failed = new Map<string, string>();
    for (const [name, body] of this.tests) {
      try {
        await body();
      } catch (error) {
        failed.set(name, error instanceof Error ? error.message : String(error));
      }
    }
    return failed;
  }
}
