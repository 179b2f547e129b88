import type { en } from './en.ts';
import type { reportEn } from './report-en.ts';

/** A text, with a name in braces where a value goes: `{name}`, and `{items, number}` with its digits in groups. */
export type Text = string;

/** The texts for a `count`, by the categories of `Intl.PluralRules`; `other` stands in for absent ones. */
export interface Plural {
  readonly one: Text;
  readonly other: Text;
}

export type MessageKey = keyof typeof en;

/** The catalogue of a language. English defines the messages. */
export type Messages = {
  readonly [Key in MessageKey]: (typeof en)[Key] extends string ? Text : Plural;
};

/** The part of a catalogue that is about the report on hits, a file of its own. */
export type ReportMessages = Pick<Messages, keyof typeof reportEn>;

type NamesIn<Template extends Text> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? PlainName<Name> | NamesIn<Rest>
  : never;

type PlainName<Name extends string> = Name extends `${infer Plain}, number` ? Plain : Name;

type TextsOf<Key extends MessageKey> = (typeof en)[Key] extends infer Wording
  ? Wording extends Text
    ? Wording
    : Wording[keyof Wording]
  : never;

/** The values of a message, by the names in its text. */
export type Values<Key extends MessageKey> = {
  readonly [Name in NamesIn<Extract<TextsOf<Key>, Text>>]: string | number;
};

/** The arguments that say a message: none but the key if the message has no values. */
export type Said<Key extends MessageKey> = keyof Values<Key> extends never
  ? readonly [key: Key]
  : readonly [key: Key, values: Values<Key>];

/** A message that is still to be put into a language. */
export type Message = { [Key in MessageKey]: Said<Key> }[MessageKey];
