import Type from 'typebox';

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An import, as a program sees it. */
export const ImportResource = Type.Object({
  id: Type.String({ format: 'uuid' }),
  shop: Type.String({ description: 'The shop’s handle.' }),
  source: Type.String(),
  format: Type.String({ description: 'Empty until it is known.' }),
  state: Type.Enum(['waiting', 'running', 'committed', 'checked', 'failed', 'interrupted'], {
    description:
      '`checked`: a dry run has ended. `interrupted`: the service stopped before the end; nothing was changed, send the file again.',
  }),
  mode: Type.Enum(['upsert', 'full']),
  dryRun: Type.Boolean(),
  message: nullable(Type.String({ description: 'Why it failed.' })),
  startedAt: Type.String({ format: 'date-time' }),
  finishedAt: nullable(Type.String({ format: 'date-time' })),
  counts: Type.Record(Type.String(), Type.Number(), {
    description:
      'new, changed, same, archived, rejected and warnings count records; seconds is the duration. Empty until the import has begun.',
  }),
  faults: Type.Array(
    Type.Object({
      line: Type.Integer(),
      record: Type.Integer(),
      externalId: nullable(Type.String()),
      column: nullable(Type.String()),
      code: Type.String(),
      message: Type.String(),
      severity: Type.Enum(['error', 'warning']),
    }),
    { description: 'The first twenty.' },
  ),
});

export const IMPORT_EXAMPLE = {
  id: '0199e5a1-0c2d-7f10-8a64-5b7c9d0e1f23',
  shop: 'shop-1',
  source: 'products.csv',
  format: 'shopify-csv',
  state: 'committed',
  mode: 'upsert',
  dryRun: false,
  message: null,
  startedAt: '2026-11-21T14:30:00.412Z',
  finishedAt: '2026-11-21T14:30:02.655Z',
  counts: { new: 12, changed: 3, same: 985, archived: 0, rejected: 0, warnings: 0, seconds: 2.2 },
  faults: [],
};
