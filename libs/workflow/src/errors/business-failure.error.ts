import { type JsonObject, BusinessValues } from '../model/business-values.js';
import { isBlank } from '../model/blank.js';
import { WorkflowArgumentError, WorkflowError } from './workflow.error.js';

/**
 * A failure that the host names itself: the only error of a host whose text, code and details reach history and events.
 *
 * @publicApi
 */
export class BusinessFailure extends WorkflowError {
  /** Safe to be shown: it goes to history and events. */
  readonly details: JsonObject;

  /** @throws WorkflowArgumentError when the code is blank or the details are no JSON */
  constructor(code: string, message: string, details: object = {}, options?: ErrorOptions) {
    if (isBlank(code)) throw new WorkflowArgumentError('BusinessFailure code must not be blank');
    super(code, message, options);
    this.details = BusinessValues.map(details);
  }
}
