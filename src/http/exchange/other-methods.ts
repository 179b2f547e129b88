import type { AnyElysia } from 'elysia';
import { AppError } from '../../domain/errors.ts';
import { isStream } from './operation.ts';

/** An Elysia instance with the routes of one subject. */
export type Room = AnyElysia;

/**
 * Returns the room with a response for every other method of its paths: 204 for `OPTIONS` and 405
 * for the rest, both with `Allow` and without a key. Elysia answers HEAD through the GET route of
 * the path.
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

/** Methods for which Elysia has routes. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The value of `Allow` for a path. */
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
