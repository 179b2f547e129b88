import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import { AppError, type Issue } from '../../domain/errors.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import { createReader } from '../../schema/reader.ts';
import type { Conversation } from '../conversation.ts';
import { WIDGET_URI } from '../resources/widget-uri.ts';
import { CORRECTING_VERSION } from '../versions.ts';

/** What a tool comes to: an answer, or why there is none and what to do next, in words for a model. */
export type ToolOutcome<Output> =
  | {
      readonly text: string;
      readonly structured: Output;
      /** Ids of results that are booked and not bought: for the cards, not for the model. */
      readonly bookable?: readonly string[];
      readonly ownHit: OwnHit;
    }
  | {
      readonly miss: string;
      /** What the cards are told besides. */
      readonly isSoldOut?: boolean;
      readonly choices?: readonly object[];
      readonly ownHit: OwnHit;
    };

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  /** Never changes: assistants remember it. */
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what comes back, what to do next. */
  readonly description: string;
  /** Enforced as it is listed: text is trimmed, a member that is null counts as absent. */
  readonly input: Input;
  readonly output: Output;
  /** Its answer is shown as cards, or cards call it. */
  readonly widget?: 'shows' | 'calls';
  handle(conversation: Conversation, input: Static<Input>): Promise<ToolOutcome<Static<Output>>>;
}

export interface Tool {
  readonly name: string;
  /** As in `tools/list`. */
  readonly listing: object;
  /**
   * Tells every fault of the arguments: as a result from revision 2025-11-25 on, before that as
   * `invalid_input`, which it throws.
   */
  call(conversation: Conversation, args: unknown): Promise<CallToolResult>;
}

/** None of the tools changes anything: following a link that one of them gives is the person's doing. */
const ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

const WIDGET_META = {
  shows: {
    ui: { resourceUri: WIDGET_URI },
    'ui/resourceUri': WIDGET_URI,
    'openai/outputTemplate': WIDGET_URI,
  },
  calls: { 'openai/widgetAccessible': true },
};

/** What a result tells the cards alone (`src/assets/widget/`). */
const BOOKABLE = 'vitrine/bookable';
const SOLD_OUT = 'vitrine/soldOut';
const CHOICES = 'vitrine/choices';

export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output, widget, handle } = definition;
  const read = createReader(input, { trimsText: true, nullIsAbsent: true });
  return {
    name,
    listing: {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: output,
      annotations: ANNOTATIONS,
      ...(widget !== undefined && { _meta: WIDGET_META[widget] }),
    },
    async call(conversation, args) {
      const reading = read(args ?? {});
      if ('issues' in reading) return refusal(conversation, name, wrongArguments(reading.issues));
      const outcome = await handle(conversation, reading.value);
      conversation.ownHits.push(outcome.ownHit);
      if ('miss' in outcome) {
        return {
          content: [{ type: 'text', text: outcome.miss }],
          isError: true,
          ...(outcome.isSoldOut === true && { _meta: { [SOLD_OUT]: true } }),
          ...(outcome.choices !== undefined && { _meta: { [CHOICES]: outcome.choices } }),
        };
      }
      const { text, structured, bookable = [] } = outcome;
      return {
        content: [{ type: 'text', text }],
        structuredContent: structured,
        ...(bookable.length > 0 && { _meta: { [BOOKABLE]: [...bookable] } }),
      };
    },
  };
}

function refusal({ revision }: Conversation, name: string, fault: AppError): CallToolResult {
  // Revisions are dates, so their order is that of their names.
  if (revision === null || revision < CORRECTING_VERSION) throw fault;
  const text = `${fault.message} Call ${name} again with arguments that fit its input schema.`;
  return { content: [{ type: 'text', text }], isError: true };
}

/** Text or null. Not a list of types, which some models’ interfaces refuse. */
export const NullableString = Type.Union([Type.String(), Type.Null()]);

/** The fault of arguments, each told by its path inside them. */
export function wrongArguments(found: readonly Issue[]): AppError {
  const issues = found.map(({ path, message }) => ({
    path: path === '' ? 'arguments' : `arguments.${path}`,
    message,
  }));
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new AppError('invalid_input', `Wrong arguments: ${faults}.`, { issues });
}
