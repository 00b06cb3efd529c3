import { Scope, type Type } from '@nestjs/common';
import { ContextIdFactory, type ModuleRef, type ModulesContainer } from '@nestjs/core';
import type { ControlPoint } from '../control/control-point.js';
import { WorkflowArgumentError } from '../errors/workflow.error.js';
import { CONTROL_POINT_PREFIX, getControlPointToken } from './workflow.tokens.js';

/**
 * Says which control point decides in a run: its class, its name, or itself.
 *
 * @publicApi
 */
export type ControlPointReference = Type<ControlPoint> | string | ControlPoint;

const METHODS = ['onTask', 'onSelfTask', 'onRoute', 'onNegotiation'];

/** Finds control points among the providers of the app. */
export class ControlPoints {
  /** @throws WorkflowArgumentError when two have the same name: each run would get whichever Nest finds first */
  constructor(
    private readonly modules: ModuleRef,
    container: ModulesContainer,
  ) {
    const tokens = [...container.values()].flatMap(({ providers }) => [...providers.keys()]);
    const names = tokens.filter((token) => typeof token === 'string' && token.startsWith(CONTROL_POINT_PREFIX));
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (typeof twice !== 'string') return;
    throw new WorkflowArgumentError(
      `Two control points are called “${twice.slice(CONTROL_POINT_PREFIX.length)}”. ` +
        'Give one of them another name in WorkflowModule.forFeature(), or declare it in one module that others import',
    );
  }

  /**
   * @throws WorkflowArgumentError at once when there is none
   * @returns gives the control point of one run: always the same, or one that is made for it, with `request` as the
   *   `REQUEST` of its scope
   */
  find(reference: ControlPointReference): (request: object) => Promise<ControlPoint> {
    if (typeof reference === 'object' && reference !== null) {
      return () => Promise.resolve(checked(reference, 'The control point of the run'));
    }
    const name = typeof reference === 'string' ? `“${reference}”` : reference?.name;
    const token = typeof reference === 'string' ? getControlPointToken(reference) : reference;
    const isStatic = this.isStatic(token, name);
    return async (request) => {
      const found = isStatic
        ? this.modules.get<unknown>(token, { strict: false })
        : await this.resolved(token, request);
      return checked(found, `The control point ${name}`);
    };
  }

  private isStatic(token: Type<ControlPoint> | string, name: string): boolean {
    try {
      return this.modules.introspect(token).scope === Scope.DEFAULT;
    } catch (cause) {
      const where = typeof token === 'string' ? 'name it in' : 'list it in the providers of a module, or in';
      throw new WorkflowArgumentError(`There is no control point ${name}: ${where} WorkflowModule.forFeature()`, {
        cause,
      });
    }
  }

  private resolved(token: Type<ControlPoint> | string, request: object): Promise<unknown> {
    const contextId = ContextIdFactory.create();
    this.modules.registerRequestByContextId(request, contextId);
    return this.modules.resolve<unknown>(token, contextId, { strict: false });
  }
}

function checked(found: unknown, what: string): ControlPoint {
  if (isControlPoint(found)) return found;
  throw new WorkflowArgumentError(
    `${what} is none: it needs the methods ${METHODS.join(', ')}. Extend DefaultControlPoint`,
  );
}

function isControlPoint(value: unknown): value is ControlPoint {
  return (
    typeof value === 'object' &&
    value !== null &&
    METHODS.every((name) => typeof Reflect.get(value, name) === 'function')
  );
}
