import Type from 'typebox';
import { BATCH_MAX } from '../../mcp/dispatch.ts';
import { Id, MessageSchema } from '../../mcp/messages.ts';
import { NATIVE_VERSION } from '../../mcp/versions.ts';
import { EVENT_STREAM } from '../exchange/operation.ts';

const ErrorMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Type.Union([Id, Type.Null()]),
  error: Type.Object({
    code: Type.Integer(),
    message: Type.String(),
    data: Type.Record(Type.String(), Type.Unknown()),
  }),
});

const ResultMessage = Type.Object({
  jsonrpc: Type.Literal('2.0'),
  id: Id,
  result: Type.Record(Type.String(), Type.Unknown()),
});

const Answer = Type.Union([ResultMessage, ErrorMessage]);

const request = (id: number, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Headers and error responses that all MCP endpoints share. */
export const MCP_FAULT = {
  requestHeaders: Type.Object({
    'MCP-Protocol-Version': Type.Optional(
      Type.String({ description: 'The negotiated protocol version.', examples: [NATIVE_VERSION] }),
    ),
  }),
  faultAnswer: ErrorMessage,
} as const;

/**
 * Messages and responses, as far as OpenAPI describes them. The protocol's own schemas define the
 * rest.
 */
export const MCP_MESSAGES = {
  body: Type.Union([
    MessageSchema,
    Type.Array(MessageSchema, { minItems: 1, maxItems: BATCH_MAX }),
  ]),
  bodyExamples: {
    initialize: request(1, 'initialize', {
      protocolVersion: NATIVE_VERSION,
      capabilities: {},
      clientInfo: { name: 'example', version: '1.0.0' },
    }),
    tools: request(2, 'tools/list'),
    search: request(3, 'tools/call', {
      name: 'search_offerings',
      arguments: { question: 'a waterproof jacket under 150' },
    }),
  },
  answer: Type.Union([Answer, Type.Array(Answer)]),
  answerExample: {
    jsonrpc: '2.0',
    id: 1,
    result: {
      protocolVersion: NATIVE_VERSION,
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: 'vitrine', version: '1.0.0' },
    },
  },
  furtherAnswers: { '202': 'Accepted: there is no response, or it is sent on the stream.' },
} as const;

/** An endless event stream. */
export const STREAM = {
  answer: Type.String(),
  answerType: EVENT_STREAM,
  answerExample: 'event: endpoint\ndata: /mcp/messages?sessionId=…\n\n',
} as const;

/** How a request names its session: in the query or in a header. */
export const SessionQuery = Type.Object({
  sessionId: Type.Optional(
    Type.String({ description: 'The session id from the stream’s `endpoint` event.' }),
  ),
  organization: Type.Optional(
    Type.String({ description: 'Without a key: id or slug of the organization that is called.' }),
  ),
});

export const SESSION_HEADERS = Type.Object({
  ...MCP_FAULT.requestHeaders.properties,
  'Mcp-Session-Id': Type.Optional(
    Type.String({ description: 'The session id from the response to `initialize`.' }),
  ),
});
