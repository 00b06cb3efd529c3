import { fromJsonRpcError, isRecord } from 'nestjs-a2a/protocol';
import { circumstancesOf, failureOf, isSuccess, unreadable, type AnswerHead } from './answers.js';

/** The result in an answer, whatever its HTTP status: some peers use those for errors, some do not. */
export function resultOf(body: unknown, head: AnswerHead, id: string): unknown {
  if (!isRecord(body)) throw isSuccess(head) ? unreadable(head, 'it is no JSON object') : failureOf(head, body);
  const { error = null } = body;
  if (error !== null && (isSuccess(head) || 'jsonrpc' in body)) {
    throw fromJsonRpcError(error, head.status, circumstancesOf(head));
  }
  if (!isSuccess(head)) throw failureOf(head, body);
  if (body['jsonrpc'] !== '2.0') throw unreadable(head, "'jsonrpc' is not '2.0'");
  // Some peers turn an id that looks like a number into one.
  if (String(body['id']) !== id) throw unreadable(head, 'its id is not that of the call');
  return body['result'];
}
