/** Names that were of interest lately: so many, and those that were added longest ago leave first. */
export class RecentNames {
  private readonly names = new Set<string>();

  constructor(private readonly limit: number) {}

  has(name: string): boolean {
    return this.names.has(name);
  }

  add(name: string): void {
    this.names.delete(name);
    this.names.add(name);
    if (this.names.size <= this.limit) return;
    const [oldest] = this.names;
    if (oldest !== undefined) this.names.delete(oldest);
  }

  delete(name: string): void {
    this.names.delete(name);
  }
}
