import { basename, dirname } from 'node:path';
import { type Config, embedderThreads, modelFolder, modelsFolder, pathOfModel } from './config.ts';
import type { Embedder } from './models/embedder.ts';
import { openLocalEmbedder } from './models/local-embedder.ts';
import { modelFiles } from './models/model-files.ts';
import { openRemoteEmbedder } from './models/remote-embedder.ts';
import type { Platform } from './platform.ts';

type EmbedderSettings = Pick<
  Config,
  'embedder' | 'embedderPath' | 'embedderUrl' | 'embedderModel' | 'embedderApiKey'
>;

type EmbedderPlatform = Pick<Platform, 'log' | 'monotonicMs' | 'coreCount'>;

/** What opens a model again, as it is stored with its vectors. Never a key. */
interface EmbedderSource {
  readonly embedder: 'local' | 'folder' | 'endpoint';
  /** A name among the added models, or a path. */
  readonly path?: string;
  readonly url?: string;
  readonly model?: string;
}

const BUILT_IN: EmbedderSource = { embedder: 'local' };

/** The beginning of the tags of the built-in model, before sources were stored. */
const BUILT_IN_TAG = 'all-MiniLM-L6-v2/onnx-';

/** The configured embedder; null if there is none. It loads its model with its first text. */
export function openEmbedder(
  config: EmbedderSettings & Pick<Config, 'embedderThreads'>,
  platform: EmbedderPlatform,
): Embedder | null {
  const { embedder, embedderUrl, embedderModel, embedderApiKey } = config;
  if (embedder === 'off') return null;
  if (embedder === 'endpoint' && embedderUrl !== null) {
    return openRemoteEmbedder({
      url: embedderUrl,
      model: embedderModel,
      apiKey: embedderApiKey,
      now: platform.monotonicMs,
    });
  }
  const files = modelFiles();
  if (files === null)
    platform.log('warn', 'model_missing', {
      hint: 'run "bun run model"; until then search matches words only',
    });
  return files === null
    ? null
    : openLocalEmbedder({
        ...{ files, folder: modelFolder(config) },
        threads: embedderThreads(config, platform.coreCount()),
        now: platform.monotonicMs,
      });
}

/** How to open the configured embedder after another one was configured; null if there is none. */
export function embedderSource(
  config: EmbedderSettings & Pick<Config, 'dataFolder'>,
): EmbedderSource | null {
  const { embedder, embedderPath, embedderUrl, embedderModel, dataFolder } = config;
  switch (embedder) {
    case 'off':
      return null;
    case 'local':
      return { embedder };
    case 'endpoint':
      return hasSecrets(embedderUrl) ? null : { embedder, url: embedderUrl!, model: embedderModel };
    case 'folder': {
      // By name, so that the data folder may move.
      const isAdded = dirname(embedderPath) === modelsFolder(dataFolder);
      return { embedder, path: isAdded ? basename(embedderPath) : embedderPath };
    }
  }
}

/** Opens an embedder of before; null if it is not known how. */
export function openFormerEmbedder(
  { tag, source: stored }: { readonly tag: string; readonly source: unknown },
  config: Config,
  platform: EmbedderPlatform,
): { readonly embedder: Embedder; readonly isLocal: boolean } | null {
  const source = readSource(stored) ?? (tag.startsWith(BUILT_IN_TAG) ? BUILT_IN : null);
  if (source === null) return null;
  const { embedder, path = '', url = '', model = '' } = source;
  const opened = openEmbedder(
    {
      embedder,
      embedderPath: pathOfModel(path, config.dataFolder),
      embedderUrl: url,
      embedderModel: model,
      // A key is for the endpoint that it was configured with, and for no other.
      embedderApiKey: url === config.embedderUrl ? config.embedderApiKey : '',
      embedderThreads: config.embedderThreads,
    },
    platform,
  );
  return opened && { embedder: opened, isLocal: embedder !== 'endpoint' };
}

/** User information and a query may hold a key. */
function hasSecrets(url: string | null): boolean {
  if (url === null) return true;
  const { username, password, search } = new URL(url);
  return `${username}${password}${search}` !== '';
}

/** Null for what this version does not know. */
function readSource(stored: unknown): EmbedderSource | null {
  const source = stored as Partial<EmbedderSource> | null;
  const isKnown = ['local', 'folder', 'endpoint'].includes(source?.embedder ?? '');
  return isKnown ? (source as EmbedderSource) : null;
}
