import {
  BadGatewayException,
  BadRequestException,
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnauthorizedException,
} from '@nestjs/common';
import { describe, expect, it, jest } from '@jest/globals';
import {
  InternalError,
  InvalidRequestError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ResourceExhaustedError,
  TaskNotFoundError,
  UnauthenticatedError,
  UnavailableError,
} from 'nestjs-a2a/protocol';
import { errorHeaders } from './error-headers.js';
import { FailureReporter } from './http-failure.js';

function reporter() {
  const error = jest.fn();
  return { error, reporter: new FailureReporter({ error, log: jest.fn(), warn: jest.fn() }) };
}

const refuse = (): never => {
  throw new Error('nobody may look');
};

describe('FailureReporter', () => {
  it.each([
    [new UnauthorizedException(), UnauthenticatedError],
    [new ForbiddenException(), PermissionDeniedError],
    [new PayloadTooLargeException(), PayloadTooLargeError],
    [new HttpException('slow down', 429), ResourceExhaustedError],
    [new ServiceUnavailableException(), UnavailableError],
    [new BadRequestException('no'), InvalidRequestError],
    [new NotFoundException(), InvalidRequestError],
  ])('%s in the terms of the protocol, without a word in the log', (exception, error) => {
    const made = reporter();
    expect(made.reporter.report(exception)).toBeInstanceOf(error);
    expect(made.error).not.toHaveBeenCalled();
  });

  it.each([
    ['an Error', new Error('secret')],
    ['a server error of the host', new InternalServerErrorException('secret')],
    ['another server error', new BadGatewayException('secret')],
    ['a string', 'secret'],
    ['nothing', undefined],
    ['null', null],
    ['an object', { secret: true }],
  ])('%s is masked, and logged under the id that the caller sees', (_, thrown) => {
    const made = reporter();
    const error = made.reporter.report(thrown);
    expect(error).toBeInstanceOf(InternalError);
    expect(JSON.stringify([error.message, error.metadata])).not.toContain('secret');
    const id = error.metadata.correlationId;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.error).toHaveBeenCalledTimes(1);
    expect(made.error.mock.calls[0]?.[0]).toContain(id);
  });

  it.each<[string, unknown]>([
    ['an object without a prototype', Object.create(null)],
    ['a proxy that refuses everything', new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
    ['an error whose stack cannot be read', Object.defineProperty(new Error('x'), 'stack', { get: refuse })],
    ['an exception whose status cannot be read', Object.assign(new HttpException('x', 400), { getStatus: refuse })],
  ])('masks what cannot be looked at, and writes about it: %s', (_name, thrown) => {
    const made = reporter();
    expect(made.reporter.report(thrown)).toBeInstanceOf(InternalError);
    expect(made.error.mock.calls).toEqual([[expect.any(String), expect.any(String)]]);
  });

  it('leaves our own errors as they are', () => {
    const made = reporter();
    const error = new TaskNotFoundError('t');
    expect(made.reporter.report(error)).toBe(error);
    expect(made.error).not.toHaveBeenCalled();
  });
});

describe('Headers of an error', () => {
  it.each([
    [new TaskNotFoundError('t'), {}],
    [new UnavailableError('later', 0.2), { 'retry-after': '1' }],
    [new UnauthenticatedError(), { 'www-authenticate': 'Bearer' }],
    [new PayloadTooLargeError(1), { connection: 'close' }],
  ])('%s', (error, headers) => {
    expect(errorHeaders(error)).toEqual(headers);
  });
});
