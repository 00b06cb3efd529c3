import { describe, expect, it } from '@jest/globals';
import { workflowEngineClientConfig, type WorkflowEngineClientOptions } from 'nestjs-a2a/workflow';

describe('workflowEngineClientConfig', () => {
  it('has its defaults, also in place of null', () => {
    const { log, wireLog, ...config } = workflowEngineClientConfig({ sslVerify: null, sendTimeoutSeconds: undefined });
    expect(config).toEqual({
      sslVerify: true,
      caCertsPath: null,
      clientCertPath: null,
      clientKeyPath: null,
      clientKeyPassword: null,
      crlPath: null,
      sendTimeoutSeconds: 600,
      notificationAckTimeoutSeconds: 300,
      taskPollIntervalMillis: 20_000,
      sendExecutorCoreSize: 4,
      sendExecutorMaxSize: 16,
      sendExecutorQueueCapacity: 256,
      preferredProtocol: null,
      authProvider: null,
      credentialsConfigPath: null,
      credentialsConfig: null,
      credentialEncryptionKey: null,
      maxNegotiationExchanges: 3,
      network: 'any',
    });
    expect(wireLog.enabled).toBe(false);
    expect(log.warn('nobody hears')).toBeUndefined();
  });

  it.each<[string, WorkflowEngineClientOptions]>([
    ['Timeouts must be positive', { sendTimeoutSeconds: 0 }],
    ['Timeouts must be positive', { notificationAckTimeoutSeconds: -1 }],
    ['Timeouts must be positive', { sendTimeoutSeconds: Number.NaN }],
    ['taskPollIntervalMillis must be at least 100ms', { taskPollIntervalMillis: 99 }],
    ['Invalid send executor configuration', { sendExecutorCoreSize: 0 }],
    ['Invalid send executor configuration', { sendExecutorCoreSize: 5, sendExecutorMaxSize: 4 }],
    ['Invalid send executor configuration', { sendExecutorQueueCapacity: 0 }],
    ['Invalid send executor configuration', { sendExecutorMaxSize: 4.5 }],
    ['maxNegotiationExchanges must be positive', { maxNegotiationExchanges: 0 }],
    [
      'credentialsConfigPath and credentialsConfig are mutually exclusive',
      { credentialsConfigPath: 'a.json', credentialsConfig: {} },
    ],
  ])('throws: %s (%#)', (message, options) => {
    expect(() => workflowEngineClientConfig(options)).toThrow(message);
  });

  it('takes the least that is allowed', () => {
    expect(workflowEngineClientConfig({ taskPollIntervalMillis: 100, sendExecutorCoreSize: 16 })).toMatchObject({
      taskPollIntervalMillis: 100,
    });
  });

  it('copies what it is given, and freezes the copy', () => {
    const credentialsConfig = { X: { bearer: { login_url: 'https://login.test' } } };
    const config = workflowEngineClientConfig({ credentialsConfig });
    credentialsConfig.X.bearer.login_url = 'changed';
    expect(config.credentialsConfig).toEqual({ X: { bearer: { login_url: 'https://login.test' } } });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.credentialsConfig?.['X'])).toBe(true);
    expect(Object.isFrozen(credentialsConfig)).toBe(false);
  });
});
