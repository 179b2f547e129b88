import { expect, test } from 'bun:test';
import Type from 'typebox';
import type { Conversation } from '../../src/mcp/conversation.ts';
import { defineTool } from '../../src/mcp/tools/tool.ts';

const conversation = { ownHits: [], revision: null } as unknown as Conversation;

const tool = defineTool({
  name: 'echo',
  title: ['title.search'],
  description: ['describe.search'],
  input: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 5 }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 3 })),
    kind: Type.Optional(Type.Enum(['a', 'b'])),
  }),
  output: Type.Object({ given: Type.Unknown() }),
  handle: async (_, given) => ({
    text: 'done',
    structured: { given },
    ownHit: { classification: 'mcp_call' },
  }),
});

test.each([
  [{ text: ' x ' }, { text: 'x' }],
  [
    { text: 'x', count: 3, kind: 'b', further: [] },
    { text: 'x', count: 3, kind: 'b' },
  ],
  [{ text: 'x', count: null, kind: null }, { text: 'x' }],
])('arguments are what the schema says, be they optional or no text: %j', async (args, given) => {
  expect((await tool.call(conversation, args)).structuredContent).toEqual({ given });
});

test.each([
  [{ text: 5 }, 'text', 'must be a string'],
  [{ text: 'x', count: 0 }, 'count', 'must be a whole number from 1 to 3'],
  [{ text: 'x', count: '2' }, 'count', 'must be a whole number from 1 to 3'],
  [{ text: 'x', kind: 'c' }, 'kind', 'must be one of a, b'],
])('a wrong argument is named: %j', async (args, name, message) => {
  const issues = [{ path: `arguments.${name}`, message }];
  await expect(tool.call(conversation, args)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { issues },
  });
});
