/** What is said at start; one place, so that tests and people find it. */
export const noExecutorMessage = (): string =>
  'A2AModule found no AgentExecutor: pass one as A2AModule.forRoot({ executor: MyAgent }), or declare a class that ' +
  'extends AgentExecutor among the providers of your app';

export const notAnExecutorMessage = (): string =>
  'the executor has no execute() method: pass a class that extends or implements AgentExecutor, or a provider of one';

export const manyExecutorsMessage = (names: readonly string[]): string =>
  `A2AModule found ${names.length} executors (${names.join(', ')}) and cannot choose: ` +
  'pass one as A2AModule.forRoot({ executor: MyAgent })';

export const notAnAuthorizationMessage = (missing: readonly string[]): string =>
  `the TaskAuthorizationProvider has no ${missing.join('(), no ')}(): ` +
  'pass a class that extends or implements TaskAuthorizationProvider, or a provider of one';

export const manyAuthorizationsMessage = (names: readonly string[]): string =>
  `A2AModule found ${names.length} TaskAuthorizationProviders (${names.join(', ')}) and cannot choose: ` +
  'pass one in A2AModule.forRoot({ providers: [{ provide: TaskAuthorizationProvider, useClass: … }] })';

export const samePathMessage = (path: string): string =>
  `Two agents have the path '${path || '/'}': give each A2AModule.forRoot() a path of its own, such as { path: 'weather' }`;

export const requestScopedMessage = (): string =>
  'one of them (AgentCardProvider, SkillSource, TaskStore …), or what it injects, is request-scoped, but needed before ' +
  'there is a request: give it the default scope; what it may know of a caller is among its arguments';

export const takenPathMessage = (path: string, agents: readonly string[]): string =>
  `Two agents, with the paths ${agents.map((agent) => `'${agent || '/'}'`).join(' and ')}, are both served at '${path}': ` +
  'give one of them another path, pathPrefix or jsonRpcPath, or leave out its legacyAliases';

export const noPublicUrlMessage = (address: string): string =>
  `No publicUrl: unless a proxy that the app trusts says otherwise, the agent card names ${address}, which others ` +
  'cannot reach. Set publicUrl (A2A_SERVER_PUBLIC_URL), or let the app trust its proxy';

export const failedLoginsUnlimitedMessage = (): string =>
  'maxFailedLogins is without effect: the app does not say which proxies it trusts, so that callers could not be told ' +
  "apart behind one. Express: app.set('trust proxy', …); Fastify: new FastifyAdapter({ trustProxy: … })";

export const unknownVariablesMessage = (names: readonly string[]): string =>
  `Unknown environment variables: ${names.join(', ')}`;

export const twoBuildsMessage = (): string =>
  'nestjs-a2a is loaded twice, as ES module and as CommonJS: import it in one way only';
