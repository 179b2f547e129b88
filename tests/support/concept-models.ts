import { REFERENCE_SCALE } from '../../src/models/cosine-scale.ts';
import type { Embedder } from '../../src/models/embedder.ts';
import type { OpenFormer } from '../../src/operations/indexes/embeddings.ts';

/** What the models of these tests can tell apart, and the items' names begin with. */
export const CONCEPTS = ['barbecue', 'lamp', 'kettle', 'chair', 'mirror', 'basket'] as const;

/** A word that is in no text: each model takes it for another concept. */
export const RIDDLE = 'zyx';

/** A model that takes the riddle for one concept, and orders its dimensions in its own way. */
export interface ConceptModel {
  readonly tag: string;
  /** What it takes the riddle for. */
  readonly riddle: (typeof CONCEPTS)[number];
  /** The tag under which it is opened as a former model. Default: its own. */
  readonly opensAs?: string;
  /** By how many places its dimensions are turned. */
  readonly turn: number;
}

/**
 * Three models of the same number of dimensions. The question of one, compared with the vectors of
 * another, finds a concept that none of them takes the riddle for.
 */
export const A: ConceptModel = { tag: 'model-a', riddle: 'barbecue', turn: 0 };
export const B: ConceptModel = { tag: 'model-b', riddle: 'lamp', turn: 2 };
export const C: ConceptModel = { tag: 'model-c', riddle: 'kettle', turn: 3 };

/** What was done with the models of a test. */
export interface ModelLog {
  /** The tag of the model for each catalogue text that was embedded. */
  readonly embedded: string[];
  readonly closed: string[];
}

export function newModelLog(): ModelLog {
  return { embedded: [], closed: [] };
}

export function conceptEmbedder({ tag, riddle, turn }: ConceptModel, log: ModelLog): Embedder {
  return {
    tag,
    cosineScale: REFERENCE_SCALE,
    async embed(texts, purpose) {
      return texts.map((text) => {
        if (purpose === 'offering') log.embedded.push(tag);
        const meant = text.includes(RIDDLE) ? riddle : text.toLowerCase();
        const at = CONCEPTS.findIndex((concept) => meant.includes(concept));
        const vector = new Float32Array(CONCEPTS.length);
        vector[(Math.max(at, 0) + turn) % CONCEPTS.length] = 1;
        return vector;
      });
    },
    async close() {
      log.closed.push(tag);
    },
  };
}

/** Opens these models when their vectors are found. */
export function formerModels(models: readonly ConceptModel[], log: ModelLog): OpenFormer {
  return ({ tag }) => {
    const model = models.find((known) => (known.opensAs ?? known.tag) === tag);
    return model === undefined ? null : { embedder: conceptEmbedder(model, log), isLocal: true };
  };
}
