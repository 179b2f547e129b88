import Type from 'typebox';
import { defineOperation } from '../define-operation.ts';
import type { UpkeepServices } from './upkeep-services.ts';

/**
 * Where the service listens, `http://host:port`, by which a command tells it from another one on this
 * machine. Null before it listens.
 */
export const findAddress = defineOperation({
  name: 'service.address',
  input: Type.Object({}),
  run: async ({ readiness }: UpkeepServices): Promise<{ readonly url: string | null }> => ({
    url: readiness.url,
  }),
});
