import { Injectable } from '@nestjs/common';
import { TaskAuthorizationProvider, type ServerCallContext, type TaskOperation } from 'nestjs-a2a';

export type LedgerVerdict = (question: string, call: ServerCallContext, taskId: string) => boolean;

/** The rule that most hosts have: a list may be asked for by everybody, a task is its maker's. */
export function ownersOf(ledger: Ledger): LedgerVerdict {
  return (question, call, taskId) =>
    question === 'create' || taskId === '' || ledger.owners.get(taskId) === call.user.id;
}

/** A ledger of who may do what: everything is asked, everything can be refused. */
@Injectable()
export class Ledger extends TaskAuthorizationProvider {
  readonly asked: string[] = [];
  readonly owners = new Map<string, string>();
  verdict: LedgerVerdict = () => true;

  override async checkCreate(call: ServerCallContext, operation: TaskOperation): Promise<boolean> {
    return this.answer('create', call, '', operation);
  }

  override async checkRead(call: ServerCallContext, taskId: string, operation: TaskOperation): Promise<boolean> {
    return this.answer(taskId === '' ? 'read all' : 'read', call, taskId, operation);
  }

  override checkWrite(call: ServerCallContext, taskId: string, operation: TaskOperation): boolean {
    return this.answer('write', call, taskId, operation);
  }

  override isTaskRecorded(taskId: string): boolean {
    return this.owners.has(taskId);
  }

  override recordOwnership(call: ServerCallContext, taskId: string, operation: TaskOperation): void {
    this.asked.push(`record ${operation}`);
    this.owners.set(taskId, call.user.id);
  }

  private answer(question: string, call: ServerCallContext, taskId: string, operation: TaskOperation): boolean {
    this.asked.push(`${question} ${operation}`);
    return this.verdict(question, call, taskId);
  }
}
