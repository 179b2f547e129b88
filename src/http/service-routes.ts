import { Elysia } from 'elysia';
import Type from 'typebox';
import { admission } from './exchange/admission.ts';
import { operation } from './exchange/operation.ts';
import type { Room } from './exchange/other-methods.ts';
import { type AnswerSet, type HttpServices, json } from './exchange/visit.ts';
import { describeRooms } from './openapi.ts';

const Status = Type.Object({ status: Type.Literal('ok') });

/** Health, readiness and the OpenAPI document of `rooms`, for anyone. */
export function serviceRoutes(services: HttpServices, rooms: readonly Room[]) {
  const room = new Elysia()
    .use(admission(services))
    .get('/healthz', ({ set }) => json({ set: set as AnswerSet }, { status: 'ok' }), {
      open: true,
      detail: operation({
        scope: null,
        summary: 'Whether the process is alive',
        description: 'Checks only the process itself.',
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
          summary: 'Whether the service accepts requests',
          description:
            'Returns 503 while the service shuts down, its disk is full or its database is not writable; `detail` gives the reason.',
          answer: Status,
          answerExample: { status: 'ok' },
        }),
      },
    )
    .get('/openapi.json', ({ set }) => json({ set: set as AnswerSet }, document), {
      open: true,
      detail: operation({
        scope: null,
        summary: 'The OpenAPI document',
        description: 'OpenAPI 3.1, generated from the schemas in force.',
        answer: Type.Object({ openapi: Type.String(), paths: Type.Object({}) }),
        answerExample: { openapi: '3.1.0', paths: {} },
      }),
    });
  const document = describeRooms([...rooms, room]);
  return room;
}
