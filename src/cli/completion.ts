/** Implements `overdue completion`, which prints scripts for shells to complete commands, options and values. */
import { quoteForShell } from '../lib/text/text.ts'
import { COMMON_OPTIONS } from './arguments.ts'
import { type Command, type Option, wholeCommand } from './command.ts'
import { usageError } from './usage.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** @param all returns all commands; called when `completion` runs */
export function completionCommands(all: () => readonly Command[]): Command[] {
  return [
    {
      words: 'completion',
      takes: ['SHELL'],
      summary: 'print the completion script for bash, zsh or fish',
      details: [
        'bash: add eval "$(overdue completion bash)" to ~/.bashrc.',
        'zsh: write the output of overdue completion zsh to a file _overdue in a folder of $fpath.',
        'fish: write the output of overdue completion fish to ~/.config/fish/completions/overdue.fish.',
        'It completes the command `overdue`, whether it is the executable or an alias.',
      ].join('\n'),
      example: 'overdue completion bash',
      async run({ argument: name, print }) {
        const shell = SHELLS.find((known) => known === name)
        if (!shell) throw usageError(`unknown shell "${name}"`, `use one of: ${SHELLS.join(', ')}`)
        const script = WRITERS[shell](await Promise.all(all().map(wholeCommand)))
        print({ shell, script }, script)
        return 0
      },
    },
  ]
}

const WRITERS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** A word that can come next on the command line, and its description. */
interface Next {
  readonly word: string
  readonly summary: string
}

/** Returns the words that can follow each group of commands, such as `project member`. The key '' is the program itself. */
function nextWords(commands: readonly Command[]): ReadonlyMap<string, readonly Next[]> {
  const groups = new Map<string, Next[]>()
  for (const { words, summary } of commands) {
    const all = words.split(' ')
    for (const [index, word] of all.entries()) {
      const group = all.slice(0, index).join(' ')
      const known = groups.get(group) ?? []
      if (known.some((next) => next.word === word)) continue
      const isCommand = index === all.length - 1
      groups.set(group, [...known, { word, summary: isCommand ? summary : `commands for ${word}s` }])
    }
  }
  return groups
}

const wordsOf = (next: readonly Next[]) => next.map(({ word }) => word).join(' ')

function optionsOf({ options }: Command) {
  const all: Readonly<Record<string, Option>> = { ...options, ...COMMON_OPTIONS }
  return Object.entries(all).map(([name, { type, choices = [] }]) => {
    return { flag: `--${name}`, hasValue: type === 'string', choices }
  })
}

/** Returns the words that the command accepts as an argument. */
function argumentsOf(command: Command, commands: readonly Command[]): string[] {
  if (command.words === 'completion') return [...SHELLS]
  return command.words === 'help' ? (nextWords(commands).get('') ?? []).map(({ word }) => word) : []
}

function bash(commands: readonly Command[]): string {
  const groups = nextWords(commands)
  const groupCases = [...groups].map(([group, next]) => `    "${group}") words="${wordsOf(next)}" ;;`)
  const commandCases = commands.map((command) => {
    const flags = optionsOf(command).map(({ flag }) => flag)
    const words = argumentsOf(command, commands)
    return `    "${command.words}") flags="${flags.join(' ')}"; words="${words.join(' ')}" ;;`
  })
  const valueCases = commands.flatMap((command) =>
    optionsOf(command)
      .filter(({ hasValue }) => hasValue)
      .map(({ flag, choices }) => `    "${command.words} ${flag}") values="${choices.join(' ')}"; isValue=1 ;;`),
  )
  return `# Completion of overdue for bash.
_overdue() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local command= last=0 words= flags= values= isValue=
  while [ "$last" -lt "$((COMP_CWORD - 1))" ]; do
    case "$command" in
      ${[...groups.keys()].map((group) => `"${group}"`).join('|')}) last=$((last + 1)); command="\${command:+$command }\${COMP_WORDS[last]}" ;;
      *) break ;;
    esac
  done
  case "$command" in
${groupCases.join('\n')}
${commandCases.join('\n')}
  esac
  case "$command $prev" in
${valueCases.join('\n')}
  esac
  if [ -n "$isValue" ]; then
    words="$values"
  elif [ -n "$flags" ] && [[ "$cur" == -* ]]; then
    words="$flags"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _overdue overdue`
}

/** Formats a word and its description for zsh, which separates them with a colon. */
const described = (word: string, summary: string) => quoteForShell(`${word}:${summary.replaceAll(':', '\\:')}`)

function zsh(commands: readonly Command[]): string {
  const cases = commands.map((command) => {
    const specs = optionsOf(command).map(({ flag, hasValue, choices }) => {
      const values = choices.length > 0 ? `(${choices.join(' ')})` : '_files'
      return quoteForShell(hasValue ? `${flag}=:value:${values}` : flag)
    })
    const words = argumentsOf(command, commands)
    const rest = quoteForShell(words.length > 0 ? `*:argument:(${words.join(' ')})` : '*:file:_files')
    return `    ${quoteForShell(command.words)}) _arguments ${[...specs, rest].join(' ')} ;;`
  })
  const groupCases = [...nextWords(commands)].map(([group, next]) => {
    const lines = next.map(({ word, summary }) => described(word, summary))
    return `      ${quoteForShell(group)}) commands=(${lines.join(' ')}) ;;`
  })
  return `#compdef overdue
# Completion of overdue for zsh.
_overdue() {
  local -a commands
  local command=
  while true; do
    case $command in
${groupCases.join('\n')}
      *) break ;;
    esac
    if (( CURRENT == 2 )); then
      _describe command commands
      return
    fi
    command="\${command:+$command }$words[2]"
    shift words
    (( CURRENT -= 1 ))
  done
  case $command in
${cases.join('\n')}
  esac
}
if [[ "$funcstack[1]" == _overdue ]]; then _overdue "$@"; else compdef _overdue overdue; fi`
}

function fish(commands: readonly Command[]): string {
  const groups = [...nextWords(commands)].flatMap(([group, next]) => {
    const isNext =
      group === '' ? '__fish_use_subcommand' : fishQuoted(`${seen(group)}; and not ${seenAny(wordsOf(next))}`)
    return next.map(({ word, summary }) => `complete -c overdue -n ${isNext} -f -a ${word} -d ${fishQuoted(summary)}`)
  })
  const options = commands.flatMap((command) => {
    const isCommand = fishQuoted(seen(command.words))
    const flags = optionsOf(command).map(({ flag, hasValue, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : hasValue ? ' -r' : ''
      return `complete -c overdue -n ${isCommand} -l ${flag.slice(2)}${values}`
    })
    const words = argumentsOf(command, commands)
    if (words.length === 0) return flags
    return [...flags, `complete -c overdue -n ${isCommand} -f -a ${fishQuoted(words.join(' '))}`]
  })
  return ['# Completion of overdue for fish.', ...groups, ...options].join('\n')
}

function seen(words: string): string {
  return words.split(' ').map(seenAny).join('; and ')
}

function seenAny(words: string): string {
  return `__fish_seen_subcommand_from ${words}`
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
