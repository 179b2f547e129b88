import Type from 'typebox';
import type { OwnHit } from '../domain/own-hit.ts';
import { cleanLine } from '../domain/text.ts';
import { defineOperation } from '../operations/define-operation.ts';
import type { HitServices } from '../operations/hits/hit-services.ts';
import { valuesOf } from '../operations/imports/json-blocks.ts';
import { OrganizationReference, resolveOrganization } from '../operations/tenants/organizations.ts';
import type { McpServices } from './conversation.ts';
import { answerPayload } from './dispatch.ts';
import { clientInfoOf } from './envelope.ts';
import { InFlight } from './in-flight.ts';
import { errorMessage, isObject, PARSE_ERROR, readMessage, revisionAgreedOn } from './messages.ts';

interface StdioServices extends McpServices, Pick<HitServices, 'ownTraffic'> {}

/** Maximum code points of a client's name. */
const CLIENT_NAME_MAX = 200;

/** Concurrent requests. Further ones are not read until one has been answered. */
const AT_ONCE_MAX = 16;

/** A parsed line from an assistant, or a line that could not be read. */
export type Line = { readonly payload: unknown } | { readonly unreadable: true };

/**
 * Serves an assistant on this machine. Messages arrive as lines and responses leave as events, both
 * JSON text. Returns when the lines have ended and all requests have been answered.
 */
export const converse = defineOperation({
  name: 'mcp.converse',
  input: Type.Object({ organization: OrganizationReference }),
  async run(services: StdioServices, { organization: reference }, { lines, emit }): Promise<null> {
    const organization = resolveOrganization(services, reference);
    const underWay = new Set<Promise<void>>();
    const inFlight = new InFlight();
    const session = services.platform.newId();
    let userAgent: string | null = null;
    let revision: string | null = null;
    const answer = async (line: Line): Promise<void> => {
      const { platform } = services;
      const requestId = platform.newId();
      if ('unreadable' in line) {
        const data = { code: 'parse_error' };
        emit(errorMessage(null, { code: PARSE_ERROR, message: 'Not JSON.', data }, requestId));
        return;
      }
      const startedMs = platform.monotonicMs();
      userAgent = clientNamedBy(line.payload) ?? userAgent;
      const ownHits: OwnHit[] = [];
      const talk = { inFlight, hasSession: false, revision };
      const conversation = { services, organization, requestId, ownHits, ...talk };
      const { body } = await answerPayload(conversation, line.payload, null);
      revision = revisionAgreedOn(line.payload, body) ?? revision;
      if (body !== null) emit(body);
      const event = {
        organizationKey: organization.key,
        atMs: platform.now(),
        latencyMs: platform.monotonicMs() - startedMs,
        ...{ method: null, path: null, userAgent, clientIp: '', access: 'key' as const },
        ...{ keyId: null, session },
      };
      for (const ownHit of ownHits) services.ownTraffic.note({ ...event, ownHit });
    };
    for await (const line of eachOf(lines)) {
      const answering = answer(asLine(line)).finally(() => underWay.delete(answering));
      underWay.add(answering);
      if (underWay.size >= AT_ONCE_MAX) await Promise.race(underWay);
    }
    await Promise.all(underWay);
    return null;
  },
});

async function* eachOf(blocks: AsyncIterable<string>): AsyncGenerator<unknown> {
  for await (const block of blocks) yield* valuesOf(block);
}

function asLine(line: unknown): Line {
  return isObject(line) && 'payload' in line ? { payload: line['payload'] } : { unreadable: true };
}

/**
 * The client's name and version from a message, in the form of a user agent (`claude-ai/0.1.0`);
 * null if the message has none.
 */
function clientNamedBy(payload: unknown): string | null {
  const message = readMessage(payload);
  if (message.kind !== 'request') return null;
  const info = clientInfoOf(message.params);
  if (!isObject(info) || typeof info['name'] !== 'string') return null;
  const version = typeof info['version'] === 'string' ? `/${info['version']}` : '';
  const name = cleanLine(info['name'] + version);
  return [...name].slice(0, CLIENT_NAME_MAX).join('');
}
