/** The table cannot be read. The message is for the person who sent it. */
export class TableError extends Error {
  override readonly name: string = 'TableError';
}

/** There is a table, but nothing in it; another one may be sent. */
export class EmptyTableError extends TableError {
  override readonly name = 'EmptyTableError';
}
