import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ELEMENT, OnnxGraph } from '../../../scripts/model/onnx.ts';
import { wordPiece } from './small-tokenizers.ts';

/** Dimensions of the small models. */
export const WIDTH = 4;

/** More ids than any small tokenizer has. */
const ID_COUNT = 300;

/** The vector of a token in the small models. */
export function tokenVector(id: number): number[] {
  return Array.from({ length: WIDTH }, (_, at) => Math.sin((id + 1) * (at + 1)));
}

export interface GraphOptions {
  /** Inputs besides `input_ids`. */
  readonly inputs?: readonly string[];
  /** `sentence_embedding`: the embedding itself, the vector of the second token. */
  readonly output?: 'last_hidden_state' | 'sentence_embedding' | 'token_embeddings' | 'logits';
}

/** A model that looks up the vector of each token. */
export function smallModel({
  inputs = ['attention_mask'],
  output = 'last_hidden_state',
}: GraphOptions = {}): Uint8Array {
  const graph = new OnnxGraph();
  const [ids, ...others] = ['input_ids', ...inputs].map((name) =>
    graph.declare('input', { name, element: ELEMENT.int64, shape: ['batch', 'length'] }),
  );
  const isPooled = output === 'sentence_embedding';
  graph.declare('output', {
    name: output,
    element: ELEMENT.float,
    shape: isPooled ? ['batch', WIDTH] : ['batch', 'length', WIDTH],
  });
  const rows = Array.from({ length: ID_COUNT }, (_, id) => tokenVector(id)).flat();
  let used = ids!;
  // Each input must be used: its values times 0 change nothing.
  for (const name of others) {
    const nothing = graph.apply('Mul', [name, graph.integers([0])]);
    used = graph.apply('Add', [used, nothing]);
  }
  const tokens = graph.apply('Gather', [graph.floats(rows, [ID_COUNT, WIDTH]), used], { axis: 0 });
  const second = graph.apply('Gather', [tokens, graph.integers([1])], { axis: 1 });
  graph.name(isPooled ? graph.apply('Squeeze', [second, graph.integers([1])]) : tokens, output);
  return graph.encode('small', '');
}

/** The files of a small model; a file given as null is left out. */
export function writeModel(
  folder: string,
  files: Readonly<Record<string, object | Uint8Array | string | null>> = {},
): string {
  const all = {
    'modules.json': [
      { idx: 0, path: '', type: 'sentence_transformers.models.Transformer' },
      { idx: 1, path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
    ],
    '1_Pooling/config.json': { pooling_mode_mean_tokens: true, pooling_mode_cls_token: false },
    'tokenizer.json': wordPiece,
    'onnx/model.onnx': smallModel(),
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    if (content === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const isRaw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content));
  }
  return folder;
}
