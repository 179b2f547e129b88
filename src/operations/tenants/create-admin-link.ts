import Type from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineOperation } from '../define-operation.ts';
import type { TenantServices } from './tenant-services.ts';

export const createAdminLink = defineOperation({
  name: 'admin.link',
  input: Type.Object({}),
  /** Makes a link that signs one browser in to the admin page. Throws `unavailable` if no listener serves the page. */
  async run({ adminSessions }: TenantServices): Promise<{ url: string }> {
    const url = adminSessions.createLink();
    if (url === null)
      throw new AppError(
        'unavailable',
        'The service has no operator’s listener: start it with --ops-listen 127.0.0.1:8788.',
      );
    return { url };
  },
});
