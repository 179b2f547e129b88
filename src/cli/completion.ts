import { Argument, Command } from 'commander';
import type { Cli } from './command/cli.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function completionCommand(cli: Cli): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .description('print a script that completes commands and options in your shell')
    .addHelpText(
      'after',
      `
Example:
  vitrine completion bash > /etc/bash_completion.d/vitrine
  vitrine completion zsh > "\${fpath[1]}/_vitrine"
  vitrine completion fish > ~/.config/fish/completions/vitrine.fish`,
    )
    .action((shell: Shell, _options: object, command: Command) => {
      const places = placesOf(rootOf(command), []);
      cli.print(SCRIPTS[shell](places));
    });
}

/** What may follow a command. */
interface Place {
  /** Such as `['catalog', 'import']`; empty for `vitrine` itself. */
  readonly path: readonly string[];
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  /** Choices of the first argument; empty if it takes a file. */
  readonly choices: readonly string[];
}

interface Word {
  readonly text: string;
  readonly description: string;
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const help = command.createHelp();
  const commands = help
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
    .map((child) => ({ text: child.name(), description: child.description() }));
  const options = help.visibleOptions(command).flatMap(({ long, description }) => {
    return long === undefined || long === null ? [] : [{ text: long, description }];
  });
  const choices = command.registeredArguments[0]?.argChoices ?? [];
  const below = command.commands
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => placesOf(child, [...path, child.name()]));
  return [{ path, commands, options, choices }, ...below];
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * The script walks the words typed so far, follows commands, and skips options and their values.
 */
function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options, choices }) => {
    const words = [...commands.map(({ text }) => text), ...choices].join(' ');
    return `    '${path.join(' ')}') words='${words}'; options='${options.map(({ text }) => text).join(' ')}' ;;`;
  });
  return `# bash completion for vitrine
_vitrine() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' word index words options
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case " ${placeNames(places)} " in
      *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ \${#COMPREPLY[@]} -eq 0 ]] && compopt -o default 2>/dev/null
  fi
}
complete -F _vitrine vitrine`;
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, options, choices }) => {
    const words = [...commands, ...choices.map((text) => ({ text, description: '' }))];
    return `    '${path.join(' ')}') commands=(${described(words)}); options=(${described(options)}) ;;`;
  });
  return `#compdef vitrine
_vitrine() {
  local place='' word
  local -a commands options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case " ${placeNames(places)} " in
      *"|\${place:+$place }$word|"*) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o 'option' options
  elif (( \${#commands} )); then
    _describe 'command' commands
  else
    _files
  fi
}
if [ "$funcstack[1]" = _vitrine ]; then _vitrine "$@"; else compdef _vitrine vitrine; fi`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, options, choices }) => {
    const here = `-n '__vitrine_at ${fishQuoted(path.join(' '))}'`;
    const words = [...commands, ...choices.map((text) => ({ text, description: '' }))];
    return [
      ...words.map(
        ({ text, description }) =>
          `complete -c vitrine -f ${here} -a ${text}${fishNote(description)}`,
      ),
      ...options.map(
        ({ text, description }) =>
          `complete -c vitrine ${here} -l ${text.slice(2)}${fishNote(description)}`,
      ),
    ];
  });
  return `# fish completion for vitrine
function __vitrine_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim "$place $word")
        if string match -q -- "*|$longer|*" ${fishQuoted(placeNames(places))}
            set place $longer
        end
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}`;
}

/** `|catalog|catalog import|…|` */
function placeNames(places: readonly Place[]): string {
  return `|${places
    .filter(({ path }) => path.length > 0)
    .map(({ path }) => path.join(' '))
    .join('|')}|`;
}

/** `'name:what it does'`, the form in which zsh describes words. */
function described(words: readonly Word[]): string {
  return words
    .map(({ text, description }) => {
      const note = description.replaceAll('\\', '').replaceAll(':', '\\:').replaceAll("'", '’');
      return `'${text}${note === '' ? '' : `:${note}`}'`;
    })
    .join(' ');
}

function fishNote(description: string): string {
  return description === '' ? '' : ` -d ${fishQuoted(description)}`;
}

function fishQuoted(text: string): string {
  return `"${text.replace(/["\\$]/g, '\\$&')}"`;
}
