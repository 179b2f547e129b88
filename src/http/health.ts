import Type from 'typebox';
import { AppError } from '../domain/errors.ts';
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
    handle: (visit) => json(visit, { status: 'ok' }),
  },
  {
    method: 'GET',
    path: '/readyz',
    scope: null,
    summary: 'Whether the service takes requests',
    description: '503 while it is shutting down or cannot read its database.',
    answer: Status,
    async handle(visit) {
      const { db, stopping } = visit.services;
      if (stopping.aborted)
        throw new AppError('unavailable', 'The service is shutting down.', { retryAfterMs: 5000 });
      await db.all({ sql: 'SELECT 1', args: [] });
      return json(visit, { status: 'ok' });
    },
  },
];
