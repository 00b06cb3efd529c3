import { UnsupportedOperationError } from 'nestjs-a2a/protocol';

/** A subscription that does not begin with the task as it is: what was missed before it, nobody can tell. */
export class MissingSnapshotError extends UnsupportedOperationError {
  constructor() {
    super('The subscription does not begin with the task as it is');
  }
}
