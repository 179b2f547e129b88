import type { AnyElysia } from 'elysia';
import { AppError } from '../../domain/errors.ts';
import { isStream } from './operation.ts';

/** One Elysia instance, with the routes of one subject. */
export type Room = AnyElysia;

/**
 * The room, with an answer to every method of its paths: `OPTIONS` is 204 and any other is 405, both with
 * `Allow`, without a key. Elysia answers a HEAD with the GET of its path.
 */
export function answerOtherMethods<One extends Room>(room: One): One {
  for (const path of new Set(room.routes.map((route) => route.path))) {
    const allow = methodsOf(room, path);
    room.options(path, ({ set }) => {
      set.headers['allow'] = allow.join(', ');
      return new Response(null, { status: 204 });
    });
    room.all(path, () => {
      throw methodNotAllowed(allow);
    });
  }
  return room;
}

/** Those that routes answer by themselves. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What a path answers, for `Allow`. */
export function methodsOf(room: Room, path: string): string[] {
  const own = room.routes.filter((route) => route.path === path && METHODS.has(route.method));
  const methods = own.flatMap(({ method, hooks }) =>
    method === 'GET' && !isStream(hooks.detail) ? ['GET', 'HEAD'] : [method],
  );
  return [...methods, 'OPTIONS'];
}

export function methodNotAllowed(allow: readonly string[]): AppError {
  return new AppError('method_not_allowed', 'This address does not take that method.', { allow });
}
