import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import {
  exportLandingPage,
  type LandingPageView,
  regenerateLandingPage,
  showLandingPages,
} from '../operations/landing/operate-landing-pages.ts';
import { type Cli, type CommonOptions, organizationOf, printResult } from './command/cli.ts';
import { operate } from './command/operator.ts';
import { table } from './command/table.ts';

/** Bytes of English Markdown per model token, on average. */
const BYTES_PER_TOKEN = 4;

export function landingCommand(cli: Cli): Command {
  return new Command('landing')
    .description('show, rebuild or export the landing page that assistants read')
    .addCommand(showCommand(cli))
    .addCommand(regenerateCommand(cli))
    .addCommand(exportCommand(cli));
}

function showCommand(cli: Cli): Command {
  return new Command('show')
    .description('list every page with its place in the queue, or print one page')
    .option('--page', 'print the page as it is served')
    .addHelpText('after', '\nExample:\n  vitrine landing show --page')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { page?: boolean }>();
      const input = { ...organizationOf(options), withPage: options.page === true };
      const shown = await operate(cli, options, showLandingPages, input);
      printResult(cli, options, shown, ({ pages, markdown }, width) =>
        markdown === null ? renderPages(pages, width) : markdown.trimEnd(),
      );
    });
}

function regenerateCommand(cli: Cli): Command {
  return new Command('regenerate')
    .description('rebuild the page and wait until it is ready')
    .addHelpText('after', '\nExample:\n  vitrine landing regenerate')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const page = await operate(cli, options, regenerateLandingPage, organizationOf(options));
      printResult(cli, options, page, (rebuilt, width) => renderPages([rebuilt], width));
    });
}

function exportCommand(cli: Cli): Command {
  return new Command('export')
    .description('write llms.txt and AGENTS.md for the web root of the shop, or only one of them')
    .option('--llms-txt', 'write llms.txt: the landing page')
    .option('--agents-md', 'write AGENTS.md: how an agent should act here')
    .option('--out <folder>', 'output folder', '.')
    .addHelpText('after', '\nExample:\n  vitrine landing export --llms-txt --out /var/www/shop')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { llmsTxt?: boolean; agentsMd?: boolean; out: string }
      >();
      const isBoth = options.llmsTxt !== true && options.agentsMd !== true;
      const { llmsTxt, agentsMd, hasPublicUrl } = await operate(
        cli,
        options,
        exportLandingPage,
        organizationOf(options),
      );
      const files = [
        ...(isBoth || options.llmsTxt === true ? [{ name: 'llms.txt', text: llmsTxt }] : []),
        ...(isBoth || options.agentsMd === true ? [{ name: 'AGENTS.md', text: agentsMd }] : []),
      ].map(({ name, text }) => ({ path: join(options.out, name), text }));
      for (const { path, text } of files) writeFileSync(path, text);
      if (!hasPublicUrl)
        cli.note(
          'The files contain an address of this machine: set public_url to one that clients can reach.\n',
        );
      const written = files.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text) }));
      printResult(cli, options, { files: written }, (result) =>
        result.files.map(({ path, bytes }) => `${path} (${bytes} bytes)`).join('\n'),
      );
    });
}

function renderPages(pages: readonly LandingPageView[], width: number): string {
  const rows = pages.map((page) => [
    page.organization,
    page.state,
    page.builtAt ?? '–',
    page.bytes === 0 ? '–' : `${page.bytes} bytes, about ${tokensOf(page.bytes)} tokens`,
    page.staleSince ?? '–',
    page.attempts === 0 ? '–' : `${page.attempts}, next ${page.retryAt ?? 'now'}`,
    page.lastError ?? '–',
  ]);
  return table(
    ['organization', 'state', 'built', 'size', 'stale since', 'attempts', 'last error'],
    rows,
    width,
  );
}

function tokensOf(bytes: number): number {
  return Math.round(bytes / BYTES_PER_TOKEN / 100) * 100;
}
