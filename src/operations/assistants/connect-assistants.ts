import Type from 'typebox';
import { defineOperation } from '../define-operation.ts';
import { resolveOrganization } from '../tenants/organizations.ts';
import { ASSISTANTS, type Assistant } from './assistant.ts';
import type { AssistantServices } from './assistant-services.ts';
import { type AssistantSetup, assistantSetup, publicEndpoint } from './assistant-setup.ts';

/** How to connect assistants and programs to the service. */
export interface Connections {
  /** Whether other machines can reach the service's address. */
  readonly isPublic: boolean;
  readonly assistants: readonly ({ readonly assistant: Assistant } & AssistantSetup)[];
  /** One search from a terminal. */
  readonly curl: string;
}

export const connectAssistants = defineOperation({
  name: 'assistant.setup',
  input: Type.Object({
    organization: Type.Optional(Type.String()),
    apiKey: Type.Optional(
      Type.String({
        pattern: '^vk_[A-Za-z0-9_]+$',
        description: 'Key to insert; a placeholder if omitted.',
      }),
    ),
  }),
  async run(
    services: AssistantServices,
    { organization: reference, apiKey = null },
  ): Promise<Connections> {
    const organization = resolveOrganization(services, reference);
    const { baseUrl, isPublic } = services.landing.address;
    const base = baseUrl.replace(/\/+$/, '');
    const isOnly = services.directory.organizations().length === 1;
    const { isOn } = organization.publicAssistants;
    const options = {
      url: `${base}/mcp`,
      publicUrl: isOn ? publicEndpoint(base, organization) : null,
      canSignIn: services.signIn !== null && !isOn,
      apiKey,
      local: { program: services.platform.ownCommand, dataFolder: services.dataFolder },
      organization: isOnly ? null : organization.slug,
      toolSets: organization.toolSets,
    };
    return {
      isPublic,
      assistants: ASSISTANTS.map((assistant) => ({
        assistant,
        ...assistantSetup(assistant, options),
      })),
      curl: `curl -G ${base}/rest/search/v3/ -H 'X-API-Key: ${apiKey ?? 'YOUR_API_KEY'}' --data-urlencode 'q=a gift under 50'`,
    };
  },
});
