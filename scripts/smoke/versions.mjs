// The versions that the hosts install: pinned, so that a run says something about this package alone.
const LAST_12 = {
  '@nestjs/common': '12.5.1',
  '@nestjs/core': '12.5.1',
  '@nestjs/config': '12.0.1',
  'class-transformer': '0.5.1',
  'class-validator': '0.15.1',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
};
const LAST_11 = {
  ...LAST_12,
  '@nestjs/common': '11.2.10',
  '@nestjs/core': '11.2.10',
  '@nestjs/config': '4.0.4',
  'class-validator': '0.14.4',
};

export const NEST_12 = LAST_12;
export const NEST_12_EXPRESS = { ...LAST_12, '@nestjs/platform-express': '12.5.1', '@types/express': '5.0.6' };
export const NEST_12_FASTIFY = { ...LAST_12, '@nestjs/platform-fastify': '12.5.0' };
export const NEST_11_EXPRESS = { ...LAST_11, '@nestjs/platform-express': '11.2.10', '@types/express': '5.0.6' };

export const TYPESCRIPT_6 = { typescript: '6.0.3', '@types/node': '20.19.43' };
export const TYPESCRIPT_5 = { typescript: '5.9.3', '@types/node': '20.19.43' };
export const NEST_11_TESTING = {
  '@nestjs/testing': '11.2.6',
  '@types/jest': '29.5.14',
  jest: '29.7.0',
  'ts-jest': '29.4.15',
};

export const MODELS = { '@langchain/core': '1.4.0', ai: '6.0.326', zod: '4.6.7' };
