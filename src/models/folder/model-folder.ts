import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { AppError } from '../../domain/errors.ts';
import type { Pooling } from './pooling.ts';

/** A model as sentence-transformers saves it, exported to ONNX. */
export interface ModelFolder {
  readonly path: string;
  /** The folder's name. */
  readonly name: string;
  /** Names of the files that determine the model, relative to the folder. */
  readonly files: readonly string[];
  /** Path of the ONNX file. */
  readonly model: string;
  /** Files that hold its weights, where it is larger than 2 GB. */
  readonly externalData: readonly string[];
  /** Contents of `tokenizer.json` and `tokenizer_config.json`. */
  readonly tokenizer: Json;
  readonly tokenizerConfig: Json;
  /** Longest text in tokens, special tokens included; the rest of a text is ignored. */
  readonly tokensMax: number;
  readonly isLowerCased: boolean;
  /** Null if the folder names none: the ONNX file must then give the embedding itself. */
  readonly pooling: Pooling | null;
  /** Put before a text, such as `query: `. */
  readonly prefixes: { readonly query: string; readonly offering: string };
}

export type Json = Readonly<Record<string, unknown>>;

/** Where exporters put the ONNX file, the most usual place first. */
const MODEL_PATHS = ['onnx/model.onnx', 'model.onnx'];

const DESCRIPTIONS = [
  ...['tokenizer.json', 'tokenizer_config.json', 'modules.json', 'sentence_bert_config.json'],
  ...['config_sentence_transformers.json', 'reference-vectors.json'],
];

/** Limit for models that state none, as in BERT. */
const TOKENS_MAX = 512;

/** The tokenizer states this or more if the model has no limit. */
const NO_LIMIT = 1_000_000;

/** Modules that the ONNX file or this program carries out. */
const KNOWN_MODULES = /\.(?:Transformer|Pooling|Normalize)$/;

const POOLINGS: Readonly<Record<string, Pooling>> = {
  pooling_mode_mean_tokens: 'mean',
  pooling_mode_cls_token: 'cls',
  pooling_mode_lasttoken: 'last',
};

/** Names of the prompts for catalogue texts, in the order of sentence-transformers. */
const OFFERING_PROMPTS = ['document', 'passage', 'corpus'];

/**
 * Reads the files that describe a model. Throws `not_found` if one is missing, and
 * `unsupported_media_type` if the model needs something that this program does not have.
 */
export async function readModelFolder(path: string): Promise<ModelFolder> {
  const folder = resolve(path);
  // First, because any other folder may hold a million files.
  if (!(await isThere(join(folder, 'tokenizer.json')))) {
    if (await isThere(folder)) throw missing(folder, 'tokenizer.json');
    throw new AppError('not_found', `There is no folder ${folder}.`);
  }
  const names = await readdir(folder, { recursive: true });
  const files = new Set(names.map((name) => name.replaceAll('\\', '/')));
  const read = (name: string) =>
    files.has(name) ? readJson(folder, name) : Promise.resolve<Json>({});
  const model = modelFile(folder, files);
  const [modules, limits, prompts, tokenizer, tokenizerConfig] = await Promise.all([
    files.has('modules.json') ? readJson(folder, 'modules.json') : Promise.resolve([]),
    read('sentence_bert_config.json'),
    read('config_sentence_transformers.json'),
    read('tokenizer.json'),
    read('tokenizer_config.json'),
  ]);
  const poolingFile = poolingFileOf(modules);
  const pooling = await findPooling(folder, files, modules);
  const externalData = [...files].filter(
    (name) => name.startsWith(`${model}_data`) || name.startsWith(`${model}.data`),
  );
  const described = [...DESCRIPTIONS, poolingFile].filter((name) => files.has(name));
  return {
    path: folder,
    name: basename(folder),
    model: join(folder, model),
    externalData: externalData.map((name) => join(folder, name)),
    files: [...described, model, ...externalData],
    tokenizer,
    tokenizerConfig,
    tokensMax: tokensMaxOf(limits, tokenizer, tokenizerConfig),
    isLowerCased: limits['do_lower_case'] === true,
    pooling,
    prefixes: prefixesOf(prompts),
  };
}

/** SHA-256 of everything that determines a model's vectors, in hexadecimal. */
export async function contentHashOf(folder: ModelFolder): Promise<string> {
  const { tokenizer, tokenizerConfig, tokensMax, isLowerCased, pooling, prefixes } = folder;
  const settings = [tokenizer, tokenizerConfig, tokensMax, isLowerCased, pooling, prefixes];
  const hash = createHash('sha256').update(JSON.stringify(settings));
  const { model, externalData } = folder;
  for (const path of [model, ...externalData])
    for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

function modelFile(folder: string, files: ReadonlySet<string>): string {
  const usual = MODEL_PATHS.find((path) => files.has(path));
  if (usual !== undefined) return usual;
  const all = [...files].filter((name) => name.endsWith('.onnx')).sort();
  if (all.length === 1) return all[0]!;
  if (all.length === 0) throw missing(folder, 'onnx/model.onnx');
  throw unsupported(
    folder,
    `has several models and none is onnx/model.onnx: keep one of ${all.join(', ')}`,
  );
}

async function findPooling(
  folder: string,
  files: ReadonlySet<string>,
  modules: unknown,
): Promise<Pooling | null> {
  const listed = listOf(modules);
  for (const { type } of listed) {
    if (!KNOWN_MODULES.test(String(type)))
      throw unsupported(folder, `needs the module ${String(type)}, which is not supported`);
  }
  const pooling = listed.find(({ type }) => String(type).endsWith('.Pooling'));
  const path = poolingFileOf(modules);
  if (!files.has(path)) {
    if (pooling !== undefined) throw missing(folder, path);
    return null;
  }
  const config = await readJson(folder, path);
  if (config['include_prompt'] === false)
    throw unsupported(folder, `leaves its prompts out of pooling, which is not supported`);
  const named = config['pooling_mode'];
  const chosen = Object.keys(config).filter(
    (key) => key.startsWith('pooling_mode_') && config[key] === true,
  );
  const modes = typeof named === 'string' ? [named] : chosen.map((key) => POOLINGS[key] ?? key);
  const mode = modes[0] === 'lasttoken' ? 'last' : modes[0];
  if (modes.length === 1 && (mode === 'mean' || mode === 'cls' || mode === 'last')) return mode;
  throw unsupported(folder, `pools tokens by ${modes.join(' and ') || 'nothing'}: ${path}`);
}

function poolingFileOf(modules: unknown): string {
  const pooling = listOf(modules).find(({ type }) => String(type).endsWith('.Pooling'));
  return `${String(pooling?.['path'] ?? '1_Pooling')}/config.json`;
}

function listOf(modules: unknown): Json[] {
  return Array.isArray(modules) ? modules.filter(isJson) : [];
}

function tokensMaxOf(limits: Json, tokenizer: Json, config: Json): number {
  const { truncation } = tokenizer;
  const stated = [
    limits['max_seq_length'],
    isJson(truncation) ? truncation['max_length'] : undefined,
    config['model_max_length'],
  ];
  return stated.find(isLimit) ?? TOKENS_MAX;
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && value >= 2 && value < NO_LIMIT;
}

function prefixesOf({ prompts, default_prompt_name: usual }: Json): ModelFolder['prefixes'] {
  const texts = isJson(prompts) ? prompts : {};
  const prompt = (names: readonly string[]): string => {
    const found = [...names, String(usual)].map((name) => texts[name]);
    return found.find((text) => typeof text === 'string') ?? '';
  };
  return { query: prompt(['query']), offering: prompt(OFFERING_PROMPTS) };
}

/** An object or, from `modules.json`, a list. */
async function readJson(folder: string, name: string): Promise<Json> {
  const text = await readFile(join(folder, name), 'utf8');
  const read = parse(text);
  if (typeof read !== 'object' || read === null)
    throw unsupported(folder, `has a ${name} that is not JSON, or no object`);
  return read as Json;
}

/** Null if the text is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Throws if that cannot be seen, as without permission. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))) return false;
    throw error;
  }
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function missing(folder: string, name: string): AppError {
  return new AppError('not_found', `The model in ${folder} has no ${name}.`);
}

function unsupported(folder: string, what: string): AppError {
  return new AppError('unsupported_media_type', `The model in ${folder} ${what}.`);
}
