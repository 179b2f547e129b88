import type { PushServices } from '../pushes/push-services.ts';
import type { Drafts } from './drafts.ts';

/** The services that drafts need; they become imports. */
export interface DraftServices extends PushServices {
  readonly drafts: Drafts;
}
