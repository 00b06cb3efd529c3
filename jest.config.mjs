import { availableParallelism } from 'node:os';

export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/libs', '<rootDir>/test', '<rootDir>/sample-app'],
  // Crowds and soaks are run by scripts/laws.mjs: the rest of the laws, at a small size, is in every run.
  testPathIgnorePatterns: [
    '/node_modules/',
    ...(process.env.A2A_LAWS === 'full' ? [] : ['/test/laws/(crowds|push-soak)\\.']),
  ],
  testRegex: '\\.(spec|e2e-spec)\\.ts$',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^nestjs-a2a$': '<rootDir>/src/index.ts',
    '^nestjs-a2a/(client|net|protocol|testing|workflow)$': '<rootDir>/libs/$1/src/index.ts',
    '^nestjs-a2a/client/(ai|langchain)$': '<rootDir>/libs/client/src/tools/$1/index.ts',
    '^nestjs-a2a/client/nest$': '<rootDir>/libs/client/src/nest/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
      },
    ],
  },
  coverageProvider: 'v8',
  // Most suites wait for sockets and timers more than they compute.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 20000,
};
