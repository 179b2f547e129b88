import packageJson from '../../package.json' with { type: 'json' };

export const SERVER_INFO = { name: 'vitrine', title: 'vitrine', version: packageJson.version };

/** Nothing changes while a client is connected that it would have to be told of. */
export const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { subscribe: false, listChanged: false },
};
