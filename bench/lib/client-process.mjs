// A client of the benchmark: a process of its own. argv: kind (ours | sdk), URL of a JSON-RPC endpoint. It answers each
// order of its parent with the milliseconds it took, and the processor time of them.
const [kind, url] = process.argv.slice(2);

const card = {
  name: 'bench',
  description: 'is measured',
  version: '1.0.0',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  securitySchemes: {},
  securityRequirements: [],
  signatures: [],
};

async function ours() {
  const { A2AClient, userMessage } = await import('nestjs-a2a/client');
  const client = new A2AClient({ network: 'any' }).at(card);
  return {
    send: async (text) => {
      const answer = await client.sendMessage({ message: userMessage(text) });
      return answer.task.artifacts[0].parts[0].text;
    },
    stream: async (text) => {
      let length = 0;
      for await (const event of client.sendMessageStream({ message: userMessage(text) })) {
        if ('artifactUpdate' in event) length += event.artifactUpdate.artifact.parts[0].text.length;
      }
      return length;
    },
  };
}

async function sdk() {
  const { Role } = await import('@a2a-js/sdk');
  const { ClientFactory } = await import('@a2a-js/sdk/client');
  const { randomUUID } = await import('node:crypto');
  const client = await new ClientFactory().createFromAgentCard(card);
  const part = (value) => ({ content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' });
  const saying = (text) => ({
    tenant: '',
    message: {
      messageId: randomUUID(),
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts: [part(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: undefined,
    metadata: undefined,
  });
  return {
    send: async (text) => {
      const task = await client.sendMessage(saying(text));
      return task.artifacts[0].parts[0].content.value;
    },
    stream: async (text) => {
      let length = 0;
      for await (const { payload } of client.sendMessageStream(saying(text))) {
        if (payload.$case === 'artifactUpdate') length += payload.value.artifact.parts[0].content.value.length;
      }
      return length;
    },
  };
}

const client = await { ours, sdk }[kind]();
const orders = {
  /** So many sends, so many of them at a time. */
  async send({ calls, parallel }) {
    let left = calls;
    const lane = async () => {
      while (left-- > 0) if ((await client.send('hello')) !== 'hello') throw new Error('a wrong answer');
    };
    await Promise.all(Array.from({ length: parallel }, lane));
  },
  /** One stream of so many chunks, so often. */
  async stream({ chunks, times }) {
    let expected = 0;
    for (let n = 1; n <= chunks; n++) expected += `chunk ${n} `.length;
    for (let time = 0; time < times; time++) {
      const length = await client.stream(`burst ${chunks}`);
      if (length !== expected) throw new Error(`${length} characters for ${expected}`);
    }
  },
};

process.on('message', async ({ order, ...options }) => {
  const cpu = process.cpuUsage();
  const start = performance.now();
  try {
    await orders[order](options);
    const { user, system } = process.cpuUsage(cpu);
    process.send({ time: performance.now() - start, cpu: (user + system) / 1000 });
  } catch (error) {
    process.send({ error: String(error) });
  }
});
process.send('ready');
