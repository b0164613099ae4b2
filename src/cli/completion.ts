/** `overdue completion`: prints scripts with which shells complete commands, options and values. */
import { quoteForShell } from '../lib/text.ts'
import { COMMON_OPTIONS } from './arguments.ts'
import type { Command, Option } from './command.ts'
import { usageError } from './usage.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** @param all returns every command; called when this one runs */
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
        'It completes the command `overdue`: the executable, or an alias of it.',
      ].join('\n'),
      example: 'overdue completion bash',
      async run({ positionals: [name = ''], print }) {
        const shell = SHELLS.find((known) => known === name)
        if (!shell) throw usageError(`unknown shell "${name}"`, `use one of: ${SHELLS.join(', ')}`)
        const script = WRITERS[shell](all())
        print({ shell, script }, script)
        return 0
      },
    },
  ]
}

const WRITERS: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** The first word of each command, with its summary. */
function firstWords(commands: readonly Command[]): Map<string, string> {
  const first = new Map<string, string>()
  for (const { words, summary } of commands) {
    const [word = '', second] = words.split(' ')
    if (!first.has(word)) first.set(word, second === undefined ? summary : `commands for ${word}s`)
  }
  return first
}

/** The second words of each group. */
function groups(commands: readonly Command[]): Map<string, Command[]> {
  const grouped = commands.filter(({ words }) => words.includes(' '))
  return Map.groupBy(grouped, ({ words }) => words.split(' ')[0] ?? '')
}

const secondWord = ({ words }: Command) => words.split(' ')[1] ?? ''

function optionsOf({ options }: Command) {
  const all: Readonly<Record<string, Option>> = { ...options, ...COMMON_OPTIONS }
  return Object.entries(all).map(([name, { type, choices = [] }]) => {
    return { flag: `--${name}`, hasValue: type === 'string', choices }
  })
}

/** The words that can be an argument of the command. */
function argumentsOf(command: Command, commands: readonly Command[]): string[] {
  if (command.words === 'completion') return [...SHELLS]
  return command.words === 'help' ? [...firstWords(commands).keys()] : []
}

function bash(commands: readonly Command[]): string {
  const groupCases = [...groups(commands)].map(
    ([group, members]) => `      ${group}) words="${members.map(secondWord).join(' ')}" ;;`,
  )
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
  local command="\${COMP_WORDS[1]}" depth=2 words= flags= values= isValue=
  case "$command" in
    ${[...groups(commands).keys()].join('|')}) depth=3; [ "$COMP_CWORD" -ge 2 ] && command="$command \${COMP_WORDS[2]}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...firstWords(commands).keys()].join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ] && [ "$depth" -eq 3 ]; then
    case "\${COMP_WORDS[1]}" in
${groupCases.join('\n')}
    esac
  else
    case "$command" in
${commandCases.join('\n')}
    esac
    case "$command $prev" in
${valueCases.join('\n')}
    esac
    if [ -n "$isValue" ]; then
      words="$values"
    elif [[ "$cur" == -* ]]; then
      words="$flags"
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _overdue overdue`
}

/** In zsh, a colon ends the word that is described. */
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
  const groupCases = [...groups(commands)].map(([group, members]) => {
    const lines = members.map((member) => described(secondWord(member), member.summary))
    return `      ${group}) commands=(${lines.join(' ')}); _describe command commands; return ;;`
  })
  const first = [...firstWords(commands)].map(([word, summary]) => described(word, summary))
  return `#compdef overdue
# Completion of overdue for zsh.
_overdue() {
  local -a commands
  local command=$words[2]
  if (( CURRENT == 2 )); then
    commands=(${first.join(' ')})
    _describe command commands
    return
  fi
  if (( CURRENT == 3 )); then
    case $command in
${groupCases.join('\n')}
    esac
  fi
  case $command in
    ${[...groups(commands).keys()].join('|')}) command="$command $words[3]"; shift 2 words; (( CURRENT -= 2 )) ;;
    *) shift words; (( CURRENT -= 1 )) ;;
  esac
  case $command in
${cases.join('\n')}
  esac
}
if [[ "$funcstack[1]" == _overdue ]]; then _overdue "$@"; else compdef _overdue overdue; fi`
}

function fish(commands: readonly Command[]): string {
  const first = [...firstWords(commands)].map(
    ([word, summary]) => `complete -c overdue -n __fish_use_subcommand -f -a ${word} -d ${fishQuoted(summary)}`,
  )
  const seconds = [...groups(commands)].flatMap(([group, members]) => {
    const names = members.map(secondWord).join(' ')
    const isNext = fishQuoted(`__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${names}`)
    return members.map(
      (member) => `complete -c overdue -n ${isNext} -f -a ${secondWord(member)} -d ${fishQuoted(member.summary)}`,
    )
  })
  const options = commands.flatMap((command) => {
    const seen = command.words.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`)
    const isCommand = fishQuoted(seen.join('; and '))
    const flags = optionsOf(command).map(({ flag, hasValue, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${fishQuoted(choices.join(' '))}` : hasValue ? ' -r' : ''
      return `complete -c overdue -n ${isCommand} -l ${flag.slice(2)}${values}`
    })
    const words = argumentsOf(command, commands)
    if (words.length === 0) return flags
    return [...flags, `complete -c overdue -n ${isCommand} -f -a ${fishQuoted(words.join(' '))}`]
  })
  return ['# Completion of overdue for fish.', ...first, ...seconds, ...options].join('\n')
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
