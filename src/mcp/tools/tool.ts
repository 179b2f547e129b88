import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject } from 'typebox';
import Type from 'typebox';
import { AppError, type Issue } from '../../domain/errors.ts';
import type { OwnHit } from '../../domain/own-hit.ts';
import type { Translator } from '../../messages/translator.ts';
import type { Message } from '../../messages/wording.ts';
import { createReader } from '../../schema/reader.ts';
import type { Conversation } from '../conversation.ts';
import { WIDGET_URI } from '../resources/widget-uri.ts';
import { CORRECTING_VERSION } from '../versions.ts';

/**
 * The outcome of a tool: a result, or a text that tells the model why there is none and what to do
 * next.
 */
export type ToolOutcome<Output> =
  | {
      readonly text: string;
      readonly structured: Output;
      /** Ids of results that are booked rather than bought, for the widget only. */
      readonly bookable?: readonly string[];
      /** Pictures of variants that have their own, by id of the result and of the variant, likewise. */
      readonly variantImages?: Readonly<Record<string, Readonly<Record<string, string>>>>;
      /** One, or one for each offering that the result is about. */
      readonly ownHit: OwnHit | readonly OwnHit[];
    }
  | {
      readonly miss: string;
      /** What the cards are told besides. */
      readonly isSoldOut?: boolean;
      readonly choices?: readonly object[];
      readonly ownHit: OwnHit;
    };

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  /** Never changes, because assistants cache it. */
  readonly name: string;
  readonly title: Message;
  /** For a model: when to use the tool, what it returns, and what to do next. */
  readonly description: Message;
  /** What is enforced. Text is trimmed, and a null member counts as absent. */
  readonly input: Input;
  /** Less of `input`, for the listing: every conversation pays for each byte of it. */
  readonly listedInput?: TObject;
  readonly output: Output;
  /** Whether the widget shows the tool's results or calls the tool. */
  readonly widget?: 'shows' | 'calls';
  handle(conversation: Conversation, input: Static<Input>): Promise<ToolOutcome<Static<Output>>>;
}

export interface Tool {
  readonly name: string;
  /** The entry in `tools/list`. */
  listing(translator: Translator): object;
  /**
   * Tells every fault of the arguments: as a result from revision 2025-11-25 on, before that as
   * `invalid_input`, which it throws.
   */
  call(conversation: Conversation, args: unknown): Promise<CallToolResult>;
}

/** All tools are read-only. Whether to follow a link is up to the person. */
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

/** The `_meta` of a result, for the widget only (`src/assets/widget/`). */
const BOOKABLE = 'vitrine/bookable';
const VARIANT_IMAGES = 'vitrine/variantImages';
const SOLD_OUT = 'vitrine/soldOut';
const CHOICES = 'vitrine/choices';

export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const {
    name,
    title,
    description,
    input,
    listedInput = input,
    output,
    widget,
    handle,
  } = definition;
  const read = createReader(input, { trimsText: true, nullIsAbsent: true });
  return {
    name,
    listing: ({ tell }) => ({
      name,
      title: tell(title),
      description: tell(description),
      inputSchema: listedInput,
      outputSchema: output,
      annotations: ANNOTATIONS,
      ...(widget !== undefined && { _meta: WIDGET_META[widget] }),
    }),
    async call(conversation, args) {
      const reading = read(args ?? {});
      if ('issues' in reading) return refusal(conversation, name, wrongArguments(reading.issues));
      const outcome = await handle(conversation, reading.value);
      conversation.ownHits.push(...[outcome.ownHit].flat());
      if ('miss' in outcome) {
        return {
          content: [{ type: 'text', text: outcome.miss }],
          isError: true,
          ...(outcome.isSoldOut === true && { _meta: { [SOLD_OUT]: true } }),
          ...(outcome.choices !== undefined && { _meta: { [CHOICES]: outcome.choices } }),
        };
      }
      const { text, structured, bookable = [], variantImages = {} } = outcome;
      const meta = {
        ...(bookable.length > 0 && { [BOOKABLE]: [...bookable] }),
        ...(Object.keys(variantImages).length > 0 && { [VARIANT_IMAGES]: variantImages }),
      };
      return {
        content: [{ type: 'text', text }],
        structuredContent: structured,
        ...(Object.keys(meta).length > 0 && { _meta: meta }),
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

/** Text or null. Not a list of types, which some model APIs refuse. */
export const NullableString = Type.Union([Type.String(), Type.Null()]);

/** The error for wrong arguments, with the path of each fault. */
export function wrongArguments(found: readonly Issue[]): AppError {
  const issues = found.map(({ path, message }) => ({
    path: path === '' ? 'arguments' : `arguments.${path}`,
    message,
  }));
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new AppError('invalid_input', `Wrong arguments: ${faults}.`, { issues });
}
