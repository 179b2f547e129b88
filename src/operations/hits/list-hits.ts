import Type from 'typebox';
import { findRecentHits } from '../../storage/hits.ts';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import type { HitServices } from './hit-services.ts';

const LIMIT_MAX = 1000;

export const listHits = defineOperation({
  name: 'hits.list',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Cursor of the last hit already seen.' }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: LIMIT_MAX }),
  }),
  /** Hits after the cursor, oldest first; without a cursor, the latest. */
  async run(services: HitServices, { organization: reference, after, limit }) {
    const { key } = resolveOrganization(services, reference);
    const hits = await findRecentHits(services.db, key, { after: after ?? null, limit });
    return hits.map(({ createdAt, ...hit }) => ({
      ...hit,
      createdAt: new Date(createdAt).toISOString(),
    }));
  },
});
