import { expect } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import type { DynamicModule, Type } from '@nestjs/common';
import { EventClient } from './event-stream-client.js';
import { send, textAt, type Answer, type Call } from './http-call.js';
import { normalise } from './normalise.js';
import { ADAPTERS, start, type AdapterName, type RunningApp, type StartOptions } from './running-app.js';

/** The headers in which two adapters must not differ. */
const COMPARED = [
  'content-type',
  'allow',
  'retry-after',
  'www-authenticate',
  'a2a-extensions',
  'cache-control',
  'connection',
] as const;
/** Those that differ in value: it is enough that both are there. */
const PRESENT = ['etag', 'last-modified'] as const;

/** One of the two apps, with what a test remembers of it. */
export class Side {
  readonly notes = new Map<string, string>();

  constructor(
    readonly adapter: AdapterName,
    readonly running: RunningApp,
  ) {}

  get url(): string {
    return this.running.url;
  }

  /** What was noted under a name, the id of a task for example. */
  note(name: string): string {
    const noted = this.notes.get(name);
    if (noted === undefined) throw new Error(`Nothing is noted under ${name}`);
    return noted;
  }
}

/** A call that is the same for both apps, or made from what is known of each. */
export type CallFor = Call | ((side: Side) => Call);

/** What a stream gave, read to its end. */
export interface ReadStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly frames: EventClient['frames'];
  readonly clean: boolean;
}

/** The same app on Express and on Fastify: each call goes to both, and both must answer alike. */
export class Pair {
  private constructor(readonly sides: readonly [Side, Side]) {}

  /** @param module made anew for each app, since modules keep state */
  static async start(
    module: (adapter: AdapterName) => DynamicModule | Type,
    options: StartOptions = {},
  ): Promise<Pair> {
    const [first, second] = await Promise.all(
      ADAPTERS.map(async (adapter) => new Side(adapter, await start(adapter, module(adapter), options))),
    );
    if (first === undefined || second === undefined) throw new Error('Two adapters are needed');
    return new Pair([first, second]);
  }

  async close(): Promise<void> {
    await Promise.all(this.sides.map(({ running }) => running.close()));
  }

  /** Does something with each app. */
  async each<T>(action: (side: Side) => T | Promise<T>): Promise<[T, T]> {
    const [express, fastify] = this.sides;
    return Promise.all([action(express), action(fastify)]);
  }

  /** Sends a call to both apps, asserts that they answer alike, and returns the answer. */
  async call(call: CallFor): Promise<Answer> {
    const [express, fastify] = await this.each((side) => send(side.url, callFor(call, side)));
    expect({ fastify: comparable(fastify) }).toEqual({ fastify: comparable(express) });
    return express;
  }

  /** The same, and notes what stands at a path of each body. */
  async note(name: string, path: string, call: CallFor): Promise<Answer> {
    const answers = await this.each(async (side) => {
      const answer = await send(side.url, callFor(call, side));
      side.notes.set(name, textAt(answer.body, path));
      return answer;
    });
    expect({ fastify: comparable(answers[1]) }).toEqual({ fastify: comparable(answers[0]) });
    return answers[0];
  }

  /** Reads a stream of both apps to its end, asserts that they are alike, and returns one. */
  async stream(call: CallFor): Promise<ReadStream> {
    const [express, fastify] = await this.each(async (side): Promise<ReadStream> => {
      const client = await EventClient.open(side.url, callFor(call, side));
      const clean = await client.ended;
      const { status, headers, frames, text } = client;
      if (frames.length === 0) throw new Error(`No stream: ${status} ${text}`);
      return { status, headers, frames, clean };
    });
    expect({ fastify: streamComparable(fastify) }).toEqual({ fastify: streamComparable(express) });
    return express;
  }
}

export function callFor(call: CallFor, side: Side): Call {
  return typeof call === 'function' ? call(side) : call;
}

function comparable({ status, headers, text }: Answer): object {
  return { status, headers: headersOf(headers), text: normalise(text) };
}

function streamComparable({ status, headers, frames, clean }: ReadStream): object {
  return { status, headers: headersOf(headers), frames: normalise(JSON.stringify(frames)), clean };
}

function headersOf(headers: IncomingHttpHeaders): object {
  const compared = COMPARED.map((name) => [name, headers[name]]);
  const present = PRESENT.map((name) => [name, headers[name] !== undefined]);
  return Object.fromEntries([...compared, ...present]);
}
