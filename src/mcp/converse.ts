import Type from 'typebox';
import { defineOperation } from '../operations/define-operation.ts';
import { valuesOf } from '../operations/imports/json-blocks.ts';
import { OrganizationReference, resolveOrganization } from '../operations/tenants/organizations.ts';
import { answerPayload, type Reply } from './dispatch.ts';
import {
  errorMessage,
  isObject,
  type MessageId,
  PARSE_ERROR,
  readId,
  readMessage,
} from './messages.ts';

/** Requests that are answered at once; further ones wait to be read. */
const AT_ONCE_MAX = 16;

/** A line from an assistant, or that it could not be read. */
export type Line = { readonly payload: unknown } | { readonly unreadable: true };

/**
 * Talks to an assistant on this machine, whose messages come in as lines and whose answers go out as
 * events, each JSON text. Ends with the lines, once all are answered.
 */
export const converse = defineOperation({
  name: 'mcp.converse',
  input: Type.Object({ organization: OrganizationReference }),
  async run(services, { organization: reference }, { lines, emit }): Promise<null> {
    const organization = resolveOrganization(services, reference);
    const underWay = new Set<Promise<void>>();
    const cancelled = new Set<MessageId>();
    const answer = async (line: Line): Promise<void> => {
      const requestId = services.platform.newId();
      if ('unreadable' in line) {
        const data = { code: 'parse_error' };
        emit(errorMessage(null, { code: PARSE_ERROR, message: 'Not JSON.', data }, requestId));
        return;
      }
      const conversation = { services, organization, requestId, traces: [] };
      const reply: Reply = await answerPayload(conversation, line.payload, null);
      const id = readId(line.payload);
      if (id !== null && cancelled.delete(id)) return;
      if (reply.body !== null) emit(reply.body);
    };
    for await (const line of eachOf(lines)) {
      const asked = asLine(line);
      const dropped = 'payload' in asked ? cancelledBy(asked.payload) : null;
      if (dropped !== null) cancelled.add(dropped);
      const answering = answer(asked).finally(() => {
        underWay.delete(answering);
        // What was cancelled too late, or never asked, is not remembered.
        if (underWay.size === 0) cancelled.clear();
      });
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

/** The id of the request that a message takes back; null if it takes back none. */
function cancelledBy(payload: unknown): MessageId | null {
  const message = readMessage(payload);
  return message.kind === 'notification' && message.method === 'notifications/cancelled'
    ? readId({ id: message.params['requestId'] })
    : null;
}
