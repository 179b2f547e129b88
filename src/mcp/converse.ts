import Type from 'typebox';
import { defineOperation } from '../operations/define-operation.ts';
import { valuesOf } from '../operations/imports/json-blocks.ts';
import { OrganizationReference, resolveOrganization } from '../operations/tenants/organizations.ts';
import type { McpServices } from './conversation.ts';
import { answerPayload } from './dispatch.ts';
import { InFlight } from './in-flight.ts';
import { errorMessage, isObject, PARSE_ERROR } from './messages.ts';

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
  async run(services: McpServices, { organization: reference }, { lines, emit }): Promise<null> {
    const organization = resolveOrganization(services, reference);
    const underWay = new Set<Promise<void>>();
    const inFlight = new InFlight();
    const answer = async (line: Line): Promise<void> => {
      const requestId = services.platform.newId();
      if ('unreadable' in line) {
        const data = { code: 'parse_error' };
        emit(errorMessage(null, { code: PARSE_ERROR, message: 'Not JSON.', data }, requestId));
        return;
      }
      const hasSession = false;
      const conversation = {
        ...{ services, organization, requestId, traces: [], inFlight, hasSession },
      };
      const { body } = await answerPayload(conversation, line.payload, null);
      if (body !== null) emit(body);
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
