import Type from 'typebox';
import { json, type OpenRoute } from './route.ts';

const Status = Type.Object({ status: Type.Literal('ok') });

export const healthRoutes: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/healthz',
    scope: null,
    summary: 'Whether the process is alive',
    description: 'Looks at nothing but the process itself.',
    answer: Status,
    answerExample: { status: 'ok' },
    handle: (visit) => json(visit, { status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    scope: null,
    summary: 'Whether the service takes requests',
    description:
      '503 while it shuts down, its disk is full or its database cannot be written; `detail` says which.',
    answer: Status,
    answerExample: { status: 'ok' },
    async handle(visit) {
      await visit.services.readiness.require();
      return json(visit, { status: 'ok' });
    },
  },
];
