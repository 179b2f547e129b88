import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Command } from 'commander';
import { SILENT } from '../../operations/define-operation.ts';
import { type ExportEvent, exportCatalog } from '../../operations/imports/export-catalog.ts';
import { type Cli, type CommonOptions, printResult, shopOf } from '../command/cli.ts';
import { operate } from '../command/operator.ts';

export function exportCommand(cli: Cli): Command {
  return new Command('export')
    .description('write the catalogue and its contexts to a JSON Lines file')
    .argument('<file>', 'compressed if its name ends in .gz; "-" for stdout')
    .addHelpText(
      'after',
      '\nExample:\n  vitrine catalog export catalog.jsonl.gz\n\nImporting the file again changes nothing. The same catalogue always gives the same file.',
    )
    .action(async (path: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      if (path === '-') return exportToStdout(cli, options);
      const draft = `${path}.part`;
      const text = new PassThrough();
      const file = createWriteStream(draft);
      const written = path.endsWith('.gz')
        ? pipeline(text, createGzip(), file)
        : pipeline(text, file);
      // A full disk also ends the export.
      const failed = written.then(() => undefined);
      failed.catch(() => undefined);
      const emit = async (event: unknown) => {
        if (text.write((event as ExportEvent).lines)) return;
        const drained = new Promise<void>((resolve) => text.once('drain', resolve));
        await Promise.race([drained, failed]);
      };
      try {
        const exchange = { ...SILENT, emit };
        const summary = await operate(cli, options, exportCatalog, shopOf(options), { exchange });
        text.end();
        await written;
        await rename(draft, path);
        printResult(
          cli,
          options,
          summary,
          ({ offerings, contexts }) => `${path}: ${offerings} offerings, ${contexts} contexts`,
        );
      } finally {
        text.destroy();
        await rm(draft, { force: true });
      }
    });
}

async function exportToStdout(cli: Cli, options: CommonOptions): Promise<void> {
  const emit = (event: unknown) => cli.print((event as ExportEvent).lines.trimEnd());
  await operate(cli, options, exportCatalog, shopOf(options), { exchange: { ...SILENT, emit } });
}
