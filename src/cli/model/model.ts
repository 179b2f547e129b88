import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { type Config, modelFolder, modelsFolder } from '../../config.ts';
import { AppError } from '../../domain/errors.ts';
import { openEmbedder } from '../../embedders.ts';
import {
  checkEmbedder,
  type EmbedderReport,
  type ReferenceVector,
} from '../../models/calibration/check-embedder.ts';
import { addModel } from '../../models/folder/add-model.ts';
import { type ModelFolder, readModelFolder } from '../../models/folder/model-folder.ts';
import { systemPlatform } from '../../platform.ts';
import { type Cli, type CommonOptions, configOf, defined, printResult } from '../command/cli.ts';
import { describeFailure } from '../command/failure.ts';
import { table } from '../command/table.ts';

const BYTES_PER_MB = 1e6;

/** Vectors of the same model in another runtime and of other quantization agree to this cosine. */
const COSINE_MIN = 0.98;

const NEGATIVE_VERDICT = 1;

interface ModelOptions extends CommonOptions {
  readonly name?: string;
  readonly force?: boolean;
}

export function modelCommand(cli: Cli): Command {
  return new Command('model')
    .description('manage embedding models of your own, for search by meaning in other languages')
    .addCommand(addCommand(cli))
    .addCommand(listCommand(cli))
    .addCommand(checkCommand(cli));
}

function addCommand(cli: Cli): Command {
  return new Command('add')
    .description('copy a sentence-transformers model in ONNX into the data folder')
    .argument('<source>', 'its folder, or an archive of it: zip, tar, tar.gz')
    .option('--name <name>', 'what to call it (default: the name of the source)')
    .option('--force', 'replace a model of that name')
    .addHelpText(
      'after',
      `
Example:
  vitrine model add multilingual-e5-small/
  vitrine model check multilingual-e5-small

Exit code: 0 added, 65 the model cannot be run or the archive is damaged, 66 a file is missing, 73 there is one of that name.`,
    )
    .action(async (source: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<ModelOptions>();
      const { dataFolder } = configOf(cli, options);
      const { name, force = false } = options;
      const models = modelsFolder(dataFolder);
      const added = await addModel({ source, models, force, ...defined({ name }) });
      printResult(cli, options, described(added), () =>
        [
          `${added.name}: added to ${models}.`,
          `To use it, set embedder = "folder" and embedder_path = "${added.name}" in vitrine.toml and restart the service.`,
        ].join('\n'),
      );
    });
}

function listCommand(cli: Cli): Command {
  return new Command('list')
    .description('list the models in the data folder')
    .addHelpText('after', '\nExample:\n  vitrine model list')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<ModelOptions>();
      const config = configOf(cli, options);
      const models = modelsFolder(config.dataFolder);
      const { found, faults } = await findModels(models);
      const used = modelFolder(config);
      printResult(cli, options, { models: found, faults }, (_, width) => {
        if (found.length + faults.length === 0)
          return `No models in ${models}; the built-in one needs no folder.`;
        const unusable = faults.map(({ name, fault }) => `${name} cannot be used: ${fault}`);
        if (found.length === 0) return unusable.join('\n');
        const listed = table(
          ['model', 'MB', 'tokens', 'pooling', 'before a question', 'before a product', 'used'],
          found.map((model) => [
            ...[model.name, String(model.megabytes), String(model.tokensMax)],
            ...[
              model.pooling ?? 'its own',
              quoted(model.prefixes.query),
              quoted(model.prefixes.offering),
            ],
            join(models, model.name) === used ? 'yes' : '',
          ]),
          width,
        );
        return [listed, ...unusable].join('\n');
      });
    });
}

/** The models in a folder, and what is wrong with those that cannot be used. */
async function findModels(models: string) {
  const found: ReturnType<typeof described>[] = [];
  const faults: { name: string; fault: string }[] = [];
  const folders = existsSync(models) ? readdirSync(models, { withFileTypes: true }) : [];
  const names = folders.flatMap((entry) =>
    entry.isFile() || entry.name.startsWith('.') ? [] : entry.name,
  );
  for (const name of names.sort()) {
    try {
      found.push(described(await readModelFolder(join(models, name))));
    } catch (error) {
      faults.push({ name, fault: describeFailure(error).message });
    }
  }
  return { found, faults };
}

/** A prefix ends in a blank, which must be seen. */
function quoted(prefix: string): string {
  return prefix === '' ? '' : JSON.stringify(prefix);
}

function described({ name, tokensMax, pooling, prefixes, model, externalData }: ModelFolder) {
  const bytes = [model, ...externalData].reduce((sum, path) => sum + statSync(path).size, 0);
  return { name, megabytes: Math.round(bytes / BYTES_PER_MB), tokensMax, pooling, prefixes };
}

function checkCommand(cli: Cli): Command {
  return new Command('check')
    .description('load an embedding model, measure it, and see what languages it understands')
    .argument(
      '[model]',
      'a model in the data folder, or a path with a slash (default: the configured one)',
    )
    .addHelpText(
      'after',
      `
For each language it shows for how many questions the right product is the nearest of six.
A reference-vectors.json in the model's folder, a list of {text, purpose, vector} with
the purpose "query" or "offering", is compared with the vectors made here.

Example:
  vitrine model check multilingual-e5-small

Exit code: 0 usable, 1 it understands no language or its vectors differ from the reference, 65 it does not load, 66 a file is missing.`,
    )
    .action(async (model: string | undefined, _options: object, command: Command) => {
      const options = command.optsWithGlobals<ModelOptions>();
      const chosen = model === undefined ? {} : { embedder: 'folder', embedderPath: model };
      const config = configOf(cli, { ...options, ...chosen });
      const report = await check(cli, config);
      if (!isUsable(report)) cli.setExitCode(NEGATIVE_VERDICT);
      printResult(cli, options, report, (_, width) => rendered(report, width));
    });
}

async function check(cli: Cli, config: Config): Promise<EmbedderReport> {
  const path = modelFolder(config);
  const references = path === null ? [] : referenceVectors(await readModelFolder(path));
  const embedder = openEmbedder(config, systemPlatform('error'));
  if (embedder === null)
    throw new AppError('unavailable', 'No embedding model is set up: embedder is "off".');
  try {
    return await checkEmbedder(embedder, { references, now: cli.clock.monotonicMs }, cli.stop);
  } catch (error) {
    if (!(error instanceof AppError) || path === null) throw error;
    throw new AppError('unsupported_media_type', firstLine(error.cause ?? error.message));
  } finally {
    await embedder.close();
  }
}

function firstLine(cause: unknown): string {
  return String(cause).split('\n')[0]!;
}

function referenceVectors({ path, files }: ModelFolder): ReferenceVector[] {
  const name = 'reference-vectors.json';
  if (!files.includes(name)) return [];
  const listed: unknown = JSON.parse(readFileSync(join(path, name), 'utf8'));
  return Array.isArray(listed) ? listed : [];
}

function isUsable({ scale, reference }: EmbedderReport): boolean {
  return scale !== null && (reference === null || reference.cosineMin >= COSINE_MIN);
}

function rendered(report: EmbedderReport, width: number): string {
  const { tag, dimensions, loadMs, textsPerSecond, languages, scale, reference } = report;
  const lines = [
    `${tag}: ${dimensions} dimensions, loaded in ${(loadMs / 1000).toFixed(1)} s, ${textsPerSecond.toFixed(0)} texts of 40 tokens a second.`,
    '',
    table(
      ['language', 'right', 'related', 'unrelated'],
      languages.map(({ language, rightCount, questionCount, related, unrelated }) => [
        ...[language, `${rightCount} of ${questionCount}`],
        ...[related.toFixed(3), unrelated.toFixed(3)],
      ]),
      width,
    ),
    '',
    scale === null
      ? 'It tells related from unrelated texts in no language: do not use it.'
      : `Its cosines: ${scale.related.toFixed(3)} for related texts, ${scale.unrelated.toFixed(3)} for unrelated ones.`,
  ];
  if (reference !== null)
    lines.push(
      `${reference.count} reference vectors: ${reference.cosineMin >= COSINE_MIN ? 'the same' : 'DIFFERENT'}, least cosine ${reference.cosineMin.toFixed(4)}.`,
    );
  return lines.join('\n');
}
