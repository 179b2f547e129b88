import { Elysia } from 'elysia';
import Type from 'typebox';
import { admission } from './exchange/admission.ts';
import { operation } from './exchange/operation.ts';
import type { Room } from './exchange/other-methods.ts';
import { type AnswerSet, type HttpServices, json } from './exchange/visit.ts';
import { describeRooms } from './openapi.ts';

const Status = Type.Object({ status: Type.Literal('ok') });

/** How the service is, for anyone, and what it offers: `rooms` are those to describe. */
export function serviceRoutes(services: HttpServices, rooms: readonly Room[]) {
  const room = new Elysia()
    .use(admission(services))
    .get('/healthz', ({ set }) => json({ set: set as AnswerSet }, { status: 'ok' }), {
      open: true,
      detail: operation({
        scope: null,
        summary: 'Whether the process is alive',
        description: 'Looks at nothing but the process itself.',
        answer: Status,
        answerExample: { status: 'ok' },
      }),
    })
    .get(
      '/readyz',
      async ({ set }) => {
        await services.readiness.require();
        return json({ set: set as AnswerSet }, { status: 'ok' });
      },
      {
        open: true,
        detail: operation({
          scope: null,
          summary: 'Whether the service takes requests',
          description:
            '503 while it shuts down, its disk is full or its database cannot be written; `detail` says which.',
          answer: Status,
          answerExample: { status: 'ok' },
        }),
      },
    )
    .get('/openapi.json', ({ set }) => json({ set: set as AnswerSet }, document), {
      open: true,
      detail: operation({
        scope: null,
        summary: 'This description',
        description: 'OpenAPI 3.1, generated from the schemas in force.',
        answer: Type.Object({ openapi: Type.String(), paths: Type.Object({}) }),
        answerExample: { openapi: '3.1.0', paths: {} },
      }),
    });
  const document = describeRooms([...rooms, room]);
  return room;
}
