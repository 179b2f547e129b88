import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { Static, TObject, TSchema } from 'typebox';
import Type from 'typebox';
import { AppError, type Issue } from '../../domain/errors.ts';
import { codePointCount, isForbiddenText } from '../../domain/text.ts';
import type { Trace } from '../../domain/traffic.ts';
import type { Conversation } from '../conversation.ts';
import { isObject, type Params } from '../messages.ts';
import { WIDGET_URI } from '../resources/widget-uri.ts';

/** What a tool comes to: an answer, or why there is none and what to do next, in words for a model. */
export type ToolOutcome<Output> =
  | {
      readonly text: string;
      readonly structured: Output;
      /** Ids of results that are booked and not bought: for the cards, not for the model. */
      readonly bookable?: readonly string[];
      readonly trace: Trace;
    }
  | { readonly miss: string; readonly isSoldOut?: boolean; readonly trace: Trace };

interface ToolDefinition<Input extends TObject, Output extends TObject> {
  /** Never changes: assistants remember it. */
  readonly name: string;
  readonly title: string;
  /** For a model: when to use it, what comes back, what to do next. */
  readonly description: string;
  /** Strings only. */
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
  /** Throws `invalid_input` with every fault of the arguments. */
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

export function defineTool<Input extends TObject, Output extends TObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, input, output, widget, handle } = definition;
  return {
    name,
    listing: {
      name,
      title,
      description,
      inputSchema: input,
      outputSchema: brief(output),
      annotations: ANNOTATIONS,
      ...(widget !== undefined && { _meta: WIDGET_META[widget] }),
    },
    async call(conversation, args) {
      const outcome = await handle(conversation, readArguments(input, args));
      conversation.traces.push(outcome.trace);
      if ('miss' in outcome) {
        return {
          content: [{ type: 'text', text: outcome.miss }],
          isError: true,
          ...(outcome.isSoldOut === true && { _meta: { [SOLD_OUT]: true } }),
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

/** A schema without its lists of required members, which say in many bytes that every member is always there. */
function brief(schema: TObject): object {
  const isRequired = (name: string, value: unknown) => name === 'required' && Array.isArray(value);
  return JSON.parse(
    JSON.stringify(schema, (name, value) => (isRequired(name, value) ? undefined : value)),
  ) as object;
}

/** A schema of a type or null, in the fewest bytes: every conversation pays for the listing. */
export function Nullable(type: 'string' | 'boolean'): TSchema {
  return Type.Unsafe<string | boolean | null>({ type: [type, 'null'] });
}

function readArguments<Input extends TObject>(schema: Input, args: unknown = {}): Static<Input> {
  if (!isObject(args)) throw notAnObject();
  const properties = Object.entries(schema.properties as Record<string, { maxLength: number }>);
  const issues = properties.flatMap(([name, { maxLength }]) => {
    const fault = textFault(args, name, maxLength);
    return fault === null ? [] : [{ path: `arguments.${name}`, message: fault }];
  });
  if (issues.length > 0) throw refused(issues);
  const values = properties.map(([name]) => [name, (args[name] as string).trim()]);
  return Object.fromEntries(values) as Static<Input>;
}

/** The fault of arguments that are a list, a text or anything else but named values. */
export function notAnObject(): AppError {
  return refused([{ path: 'arguments', message: 'must be an object' }]);
}

function textFault(args: Params, name: string, maxLength: number): string | null {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value === undefined) return 'is required';
  if (typeof value !== 'string') return 'must be a string';
  const text = value.trim();
  if (text === '') return 'must hold more than blanks';
  if (isForbiddenText(text)) return 'holds a character that is not allowed';
  return codePointCount(text) > maxLength ? `is longer than ${maxLength} characters` : null;
}

function refused(issues: readonly Issue[]): AppError {
  const faults = issues.map(({ path, message }) => `${path} ${message}`).join('; ');
  return new AppError('invalid_input', `Wrong arguments: ${faults}.`, { issues });
}
