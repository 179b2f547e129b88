import { Elysia } from 'elysia';
import Type from 'typebox';
import type { Pictured } from '../assets/sample-pictures.ts';
import { samplePicture } from '../assets/sample-pictures.ts';
import { AppError } from '../domain/errors.ts';
import { paramsOf } from './exchange/route-schema.ts';

/** Path of the demo's pictures. */
export const SAMPLE_PICTURES_PATH = '/demo/pictures';

/**
 * Serves the SVG pictures of the sample catalogue by an offering's slug. Only the demo has this
 * room.
 */
export function samplePictureRoutes(find: (slug: string) => Pictured | null) {
  return new Elysia().get(
    `${SAMPLE_PICTURES_PATH}/:name`,
    ({ params, set }) => {
      const pictured = find(params.name.replace(/\.svg$/, ''));
      if (pictured === null) throw new AppError('not_found', 'There is no such picture.');
      set.headers['content-type'] = 'image/svg+xml; charset=utf-8';
      set.headers['cache-control'] = 'public, max-age=86400';
      set.headers['content-security-policy'] = "default-src 'none'; style-src 'unsafe-inline'";
      return samplePicture(pictured);
    },
    { params: paramsOf(Type.Object({ name: Type.String() })) },
  );
}
