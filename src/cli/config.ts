import { Command } from 'commander';
import { fileName, isSecret, SETTINGS, type SettingName } from '../config.ts';
import {
  type Cli,
  type CommonOptions,
  configOf,
  printResult,
  withSettings,
} from './command/cli.ts';
import { table } from './command/table.ts';

/** Shown instead of a secret that is set. */
const MASK = '••••••';

export function configCommand(cli: Cli): Command {
  return withSettings(new Command('config'))
    .description('list every setting with its value and where the value comes from')
    .addHelpText('after', '\nExample:\n  vitrine config --json')
    .action(async (_options: object, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { spelled, origins, dataFolder } = configOf(cli, options);
      const settings = (Object.keys(SETTINGS) as SettingName[]).map((name) => ({
        name: fileName(name),
        value: isSecret(name) && spelled[name] !== '' ? MASK : spelled[name],
        origin: origins[name],
      }));
      printResult(
        cli,
        options,
        { dataFolder, settings },
        (_, width) =>
          `data folder: ${dataFolder}\n\n${table(
            ['setting', 'value', 'from'],
            settings.map(({ name, value, origin }) => [name, value, origin]),
            width,
          )}`,
      );
    });
}
