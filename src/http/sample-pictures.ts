import Type from 'typebox';
import type { Pictured } from '../assets/sample-pictures.ts';
import { samplePicture } from '../assets/sample-pictures.ts';
import { AppError } from '../domain/errors.ts';
import type { OpenRoute } from './route.ts';

/** Where the demo's pictures are. */
export const SAMPLE_PICTURES_PATH = '/demo/pictures';

/** Draws the pictures of the sample catalogue; only the demo has this route. */
export function samplePicturesRoute(find: (slug: string) => Pictured | null): OpenRoute {
  return {
    method: 'GET',
    path: `${SAMPLE_PICTURES_PATH}/{name}`,
    scope: null,
    summary: 'A picture of the sample catalogue',
    description: 'An SVG by an offering’s slug.',
    params: Type.Object({ name: Type.String() }),
    answer: Type.String(),
    handle({ params, headers }) {
      const pictured = find((params['name'] ?? '').replace(/\.svg$/, ''));
      if (pictured === null) throw new AppError('not_found', 'There is no such picture.');
      headers['content-type'] = 'image/svg+xml; charset=utf-8';
      headers['cache-control'] = 'public, max-age=86400';
      headers['content-security-policy'] = "default-src 'none'; style-src 'unsafe-inline'";
      return new Response(samplePicture(pictured), { headers });
    },
  };
}
