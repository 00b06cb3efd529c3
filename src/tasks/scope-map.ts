/** One value for each agent and tenant. Nested maps: building a joint string for each look-up would cost more. */
export class ScopeMap<V> {
  private readonly agents = new Map<string, Map<string, V>>();

  get(agent: string, tenant: string): V | undefined {
    return this.agents.get(agent)?.get(tenant);
  }

  getOrCreate(agent: string, tenant: string, create: () => V): V {
    let tenants = this.agents.get(agent);
    if (!tenants) this.agents.set(agent, (tenants = new Map<string, V>()));
    let value = tenants.get(tenant);
    if (value === undefined) tenants.set(tenant, (value = create()));
    return value;
  }

  delete(agent: string, tenant: string): void {
    const tenants = this.agents.get(agent);
    if (tenants?.delete(tenant) && tenants.size === 0) this.agents.delete(agent);
  }

  /** The values of all tenants of an agent. */
  ofAgent(agent: string): V[] {
    return [...(this.agents.get(agent)?.values() ?? [])];
  }

  values(): V[] {
    return [...this.agents.values()].flatMap((tenants) => [...tenants.values()]);
  }
}
