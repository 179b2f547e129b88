/*
 * The Universal Commerce Protocol, as far as a catalogue has a part in it: the capabilities
 * `catalog.search` and `catalog.lookup` over MCP (ucp.dev, release 2026-04-08).
 */

export const UCP_VERSION = '2026-04-08';

const SITE = `https://ucp.dev/${UCP_VERSION}`;

type Capability = 'search' | 'lookup';

const nameOf = (capability: Capability) => `dev.ucp.shopping.catalog.${capability}`;

/** The member `ucp` of every answer: the version and the capability that it belongs to. */
export function ucpEnvelope(capability: Capability) {
  return {
    version: UCP_VERSION,
    capabilities: { [nameOf(capability)]: [{ version: UCP_VERSION }] },
  };
}

/** The business profile, which platforms find at `/.well-known/ucp`. */
export function ucpProfile(endpoint: string) {
  const version = UCP_VERSION;
  const capability = (name: Capability) => ({
    [nameOf(name)]: [
      {
        version,
        spec: `${SITE}/specification/catalog/${name}`,
        schema: `${SITE}/schemas/shopping/catalog_${name}.json`,
      },
    ],
  });
  return {
    ucp: {
      version,
      services: {
        'dev.ucp.shopping': [
          {
            version,
            spec: `${SITE}/specification/overview`,
            transport: 'mcp',
            schema: `${SITE}/services/shopping/mcp.openrpc.json`,
            endpoint,
          },
        ],
      },
      capabilities: { ...capability('search'), ...capability('lookup') },
      payment_handlers: {},
    },
  };
}
