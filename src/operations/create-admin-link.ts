import Type from 'typebox';
import { AppError } from '../domain/errors.ts';
import { defineOperation } from './define-operation.ts';

/** A link that signs one browser in to the admin page of the running service. */
export const createAdminLink = defineOperation({
  name: 'admin.link',
  input: Type.Object({}),
  run(services): Promise<{ url: string }> {
    const { operatorUrl, adminSessions } = services;
    if (operatorUrl === null)
      throw new AppError('unavailable', 'No service is running: start it with "vitrine serve".');
    return Promise.resolve({ url: `${operatorUrl}/admin?token=${adminSessions.createLink()}` });
  },
});
