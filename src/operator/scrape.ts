import { answer, type OperatorRoute } from './operator-route.ts';

/** The metrics route for Prometheus. */
export const scrapeRoutes: readonly OperatorRoute[] = [
  {
    method: 'GET',
    path: '/metrics',
    handle: async ({ services }) =>
      answer(await services.metrics.expose(), 'text/plain; version=0.0.4; charset=utf-8'),
  },
];
