import { widgetHtml } from '../../assets/widget.ts';
import { translatorOf } from '../conversation.ts';
import type { Resource, ResourceEntry } from './resource.ts';
import { WIDGET_TYPE, WIDGET_URI } from './widget-uri.ts';

export const WIDGET_ENTRY: ResourceEntry = {
  uri: WIDGET_URI,
  name: 'offerings',
  title: 'Offerings',
  description: 'Cards that show what search_offerings and list_all_offerings answer.',
  mimeType: WIDGET_TYPE,
};

/**
 * The widget, with the origins of the catalogue's images. Hosts block images from other origins.
 */
export const widget: Resource = {
  async read(conversation, uri) {
    if (uri !== WIDGET_URI) return null;
    const { services, organization } = conversation;
    const origins = await services.imageHosts.find(organization.key);
    return {
      uri,
      mimeType: WIDGET_TYPE,
      text: widgetHtml(translatorOf(conversation)),
      _meta: {
        ui: { csp: { connectDomains: [], resourceDomains: origins }, prefersBorder: false },
        'openai/widgetCSP': { connect_domains: [], resource_domains: origins },
        'openai/widgetDescription': 'Cards of the offerings that were found.',
      },
    };
  },
};
