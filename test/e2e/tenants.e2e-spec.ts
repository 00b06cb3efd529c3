import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TenantResolver, type A2AUser } from 'nestjs-a2a';
import { asUser, message, rest, rpc } from '../support/a2a-calls.js';
import { BelievingGuard } from '../support/believing.guard.js';
import { at, type Answer, type Call } from '../support/http-call.js';
import { Pair } from '../support/parity.js';
import { probeModule } from '../support/probe-pair.js';

/** `ann@acme` may name `acme`, and nobody else anything. */
class OwnTenant extends TenantResolver {
  override async mayUse(user: A2AUser, tenant: string): Promise<boolean> {
    return tenant === '' || user.id.endsWith(`@${tenant}`);
  }
}

const ANN = asUser('ann@acme');
const reasonOf = ({ body }: Answer): unknown => at(body, 'error.data.0.reason') ?? at(body, 'error.details.0.reason');

/** Every place in which a call can name a tenant. */
const PLACES: readonly [string, (tenant: string, headers?: Record<string, string>) => Call][] = [
  ['params', (tenant, headers) => rpc('ListTasks', { tenant }, headers)],
  ['the params of a send', (tenant, headers) => rpc('SendMessage', message('echo hi', {}, { tenant }), headers)],
  ['the path', (tenant, headers) => rest('GET', `/${tenant}/tasks`, undefined, headers)],
  ['the path of a send', (tenant, headers) => rest('POST', `/${tenant}/message:send`, message('echo hi'), headers)],
  ['the query', (tenant, headers) => rest('GET', `/tasks?tenant=${tenant}`, undefined, headers)],
  ['the body', (tenant, headers) => rest('POST', '/message:send', message('echo hi', {}, { tenant }), headers)],
];

describe('a TenantResolver', () => {
  let pair: Pair;
  beforeAll(async () => {
    pair = await Pair.start(() =>
      probeModule({
        tenantRoutes: true,
        guards: [BelievingGuard],
        providers: [{ provide: TenantResolver, useClass: OwnTenant }],
      }),
    );
  });
  afterAll(() => pair.close());

  it.each(PLACES)('is asked about a tenant in %s', async (_where, call) => {
    const own = await pair.call(call('acme', ANN));
    expect([own.status, reasonOf(own)]).toEqual([200, undefined]);
    for (const [tenant, headers] of [
      ['globex', ANN],
      ['nowhere', ANN],
      ['acme', asUser('ben')],
      ['acme', {}],
    ] as const) {
      const refused = await pair.call(call(tenant, headers));
      expect([refused.status, reasonOf(refused)]).toEqual([403, 'PERMISSION_DENIED']);
      expect(refused.text).not.toContain(tenant);
    }
  });

  it('is asked before anything is said of a task', async () => {
    const headers = asUser('ben');
    const params = { tenant: 'acme', id: 'none' };
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask']) {
      expect(reasonOf(await pair.call(rpc(method, params, headers)))).toBe('PERMISSION_DENIED');
    }
  });

  it.each([[undefined], ['no'], [{ allowed: false }], [1]])('that says %j has not said yes', async (verdict) => {
    const mayUse = () => Reflect.get({ verdict }, 'verdict');
    const doubtful = await Pair.start(() =>
      probeModule({ providers: [{ provide: TenantResolver, useValue: { mayUse } }] }),
    );
    try {
      expect((await doubtful.call(rest('GET', '/tasks'))).status).toBe(403);
    } finally {
      await doubtful.close();
    }
  });

  it('does not see a tenant that path and body do not agree on', async () => {
    const call = rest('POST', '/acme/message:send', message('echo hi', {}, { tenant: 'globex' }), ANN);
    expect(reasonOf(await pair.call(call))).toBe('INVALID_PARAMS');
  });

  it('parts tasks by tenant', async () => {
    await pair.note('id', 'result.task.id', rpc('SendMessage', message('echo hi', {}, { tenant: 'acme' }), ANN));
    const inside = await pair.call((side) => rpc('GetTask', { tenant: 'acme', id: side.note('id') }, ANN));
    expect(at(inside.body, 'result.status.state')).toBe('TASK_STATE_COMPLETED');
    const outside = await pair.call((side) => rpc('GetTask', { id: side.note('id') }, ANN));
    expect(reasonOf(outside)).toBe('TASK_NOT_FOUND');
  });
});
