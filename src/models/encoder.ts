import { readFile } from 'node:fs/promises';
import { folderTokenizer } from './folder/folder-tokenizer.ts';
import { contentHashOf, type ModelFolder, readModelFolder } from './folder/model-folder.ts';
import { pool, unitVector } from './folder/pooling.ts';
import { openSession } from './inference.ts';
import type { Output, Rows, Session } from './inference-session.ts';
import type { ModelFiles } from './model-files.ts';
import { runsOf } from './runs.ts';
import { wordPieceTokenizer } from './word-piece.ts';

/** A loaded model with its tokenizer. */
export interface Encoder {
  /** Identifies model and backend. */
  readonly tag: string;
  /**
   * Yields the unit vectors of the texts, after each run of the model those of its texts, in any order.
   * The texts beside it change a vector by rounding at most: less than a millionth in each dimension.
   */
  encode(texts: readonly string[], purpose: 'query' | 'offering'): AsyncGenerator<EncodedText[]>;
}

interface EncodedText {
  /** Its index in the list of texts. */
  readonly place: number;
  readonly vector: Float32Array<ArrayBuffer>;
}

/**
 * What the built-in model reads of a text: at most so many word pieces (it was trained on 256), and no
 * codes of a catalogue, which mean nothing to it. The README has the figures.
 */
const READ = {
  query: { lengthMax: 256, skipsCodes: false },
  offering: { lengthMax: 80, skipsCodes: true },
} as const;

/**
 * The most word pieces that the built-in model reads in one run, unless one text has more. A piece of a
 * text of 30 takes 105 µs in a run of its own and 82 among 300; more gain nothing. Questions have a run
 * each, because somebody waits for every one of them.
 */
const RUN_PIECES_MAX = { query: 1, offering: 320 } as const;

/** The index compares vectors of at most this length. */
const DIMENSIONS_MAX = 3968;

/** Hexadecimal digits of the hash in a tag. */
const TAG_DIGITS = 12;

/** The names of an output that is the embedding itself, and of one with a vector for each token. */
const EMBEDDING_OUTPUT = 'sentence_embedding';
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];

/** Inputs besides the tokens, with their value for each place. */
const FURTHER_INPUTS: Readonly<Record<string, (place: number) => number>> = {
  attention_mask: () => 1,
  token_type_ids: () => 0,
  position_ids: (place) => place,
};

/** Opens the model in a folder, or the one that the binary carries if `path` is null. */
export function openEncoder(
  path: string | null,
  files: ModelFiles,
  threads: number,
): Promise<Encoder> {
  return path === null
    ? openBuiltInEncoder(files, threads)
    : openFolderEncoder(path, files, threads);
}

/** Throws if no runtime loads. */
async function openBuiltInEncoder(files: ModelFiles, threads: number): Promise<Encoder> {
  const tokenizer = wordPieceTokenizer(await readFile(files.vocabulary, 'utf8'));
  const session = await openSession({ path: files.model, externalData: [] }, files, threads);
  return {
    tag: `all-MiniLM-L6-v2/onnx-${session.backend}`,
    async *encode(texts, purpose) {
      const rows = texts.map((text) => tokenizer.encode(text, READ[purpose]));
      for (const run of runsOf(rows, RUN_PIECES_MAX[purpose])) {
        const inputs = { input_ids: run.map((place) => rows[place]!) };
        const { data } = await session.run(inputs, EMBEDDING_OUTPUT);
        const width = data.length / run.length;
        yield run.map((place, row) => ({
          place,
          vector: new Float32Array(data.subarray(row * width, (row + 1) * width)),
        }));
      }
    },
  };
}

/** Throws an `AppError` if the folder holds no model that can be run, and if no runtime loads it. */
async function openFolderEncoder(
  path: string,
  files: ModelFiles,
  threads: number,
): Promise<Encoder> {
  const folder = await readModelFolder(path);
  const tokenizer = folderTokenizer(folder);
  const session = await openSession(
    { path: folder.model, externalData: folder.externalData },
    files,
    threads,
  );
  const embed = embedderOf(session, folder);
  const hash = await contentHashOf(folder);
  const encodeOne = (text: string, purpose: 'query' | 'offering') => {
    const prefixed = `${folder.prefixes[purpose]}${text}`;
    return embed(tokenizer.encode(folder.isLowerCased ? prefixed.toLowerCase() : prefixed));
  };
  // Its runtime may quantize over a whole run, and then texts that share one would change each other.
  const encode: Encoder['encode'] = async function* (texts, purpose) {
    for (const [place, text] of texts.entries())
      yield [{ place, vector: await encodeOne(text, purpose) }];
  };
  const { length } = await encodeOne('a', 'query');
  if (length > DIMENSIONS_MAX)
    throw new Error(`the model gives vectors of ${length} dimensions, more than ${DIMENSIONS_MAX}`);
  return { tag: `${folder.name}@${hash.slice(0, TAG_DIGITS)}/onnx-${session.backend}`, encode };
}

/** What a model computes from the tokens of a text: its unit vector. */
function embedderOf(
  session: Session,
  { pooling }: ModelFolder,
): (ids: readonly number[]) => Promise<Float32Array<ArrayBuffer>> {
  const output = outputOf(session.outputs, pooling !== null);
  const others = session.inputs.filter((name) => name !== 'input_ids');
  const unknown = others.filter((name) => FURTHER_INPUTS[name] === undefined);
  if (!session.inputs.includes('input_ids') || unknown.length > 0)
    throw new Error(
      `the model takes ${session.inputs.join(', ')}; known are input_ids, ${Object.keys(FURTHER_INPUTS).join(', ')}`,
    );
  return async (ids) => {
    const inputs: Record<string, Rows> = { input_ids: [ids] };
    for (const name of others) inputs[name] = [ids.map((_, place) => FURTHER_INPUTS[name]!(place))];
    const { data, dims } = await session.run(inputs, output.name);
    return output.rank === 2 ? unitVector(data) : pool(data, dims.at(-1)!, pooling ?? 'mean');
  };
}

/** The output to take: the embedding itself if there is one, else one with a vector for each token. */
function outputOf(outputs: readonly Output[], canPool: boolean): Output {
  const embedding = outputs.find(({ name, rank }) => name === EMBEDDING_OUTPUT && rank === 2);
  if (embedding !== undefined) return embedding;
  const lists = outputs.filter(({ rank }) => rank === 3);
  const tokens = lists.find(({ name }) => TOKEN_OUTPUTS.includes(name)) ?? lists[0];
  if (tokens !== undefined && canPool) return tokens;
  const only = outputs.length === 1 && outputs[0]!.rank === 2 ? outputs[0] : undefined;
  if (only !== undefined) return only;
  const given = outputs.map(({ name, rank }) => `${name} (rank ${rank})`).join(', ');
  throw new Error(
    tokens === undefined
      ? `the model gives ${given}; needed is sentence_embedding or last_hidden_state`
      : `the model gives a vector for each token, and the folder has no 1_Pooling/config.json`,
  );
}
