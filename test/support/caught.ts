/** What a promise rejects with. @throws when it does not */
export async function caught(action: Promise<unknown>): Promise<Error> {
  try {
    await action;
  } catch (error) {
    // Jest's own realm has another Error than Node's.
    if (isError(error)) return error;
    throw new Error(`Not an Error was thrown: ${String(error)}`, { cause: error });
  }
  throw new Error('Nothing was thrown');
}

function isError(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'message' in value && 'stack' in value;
}
