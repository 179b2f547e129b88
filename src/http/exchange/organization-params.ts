import Type from 'typebox';

/** Parameters of paths that name an organization. */
export const OrganizationParams = Type.Object({
  organization_id: Type.String({
    description:
      'Id or slug of the key’s own organization, or of one that takes public assistants.',
    examples: ['acme'],
  }),
});
