const MAX_PORT = 65_535;

/** The port that an environment variable names; 0 lets the system choose. */
export function portFrom(name: string, usual: number): number {
  const value = process.env[name];
  if (value === undefined || value.trim() === '') return usual;
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new Error(`${name} must be a whole number from 0 to ${MAX_PORT}`);
}
