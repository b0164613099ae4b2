/**
 * The description of a command, and the context in which it runs. Each group of commands has a directory. Its `commands.ts` describes the
 * commands, and its `actions.ts` implements them. `actions.ts` is loaded only when a command runs. A test runs each command's example.
 * `index.ts` lists the groups. Help and completion are generated from these descriptions. `openProject` (`project/open-project.ts`) and
 * `openCheck` (`check/find-check.ts`) parse the arguments that most commands have.
 */
import type { Config } from '../config/config.ts'
import type { OnLongWork } from '../lib/work/long-work.ts'
import type { Deps } from '../services/common/deps.ts'
import type { Io } from './terminal/io.ts'
import type { Shown } from './terminal/screen.ts'

/** The `--project` option of commands that work in one project. It may be omitted if the database has only one project. */
export const PROJECT = { project: { type: 'string', value: 'NAME_OR_ID' } } as const

export type Values = Readonly<Record<string, string | boolean | undefined>>

/** Values of repeatable options, in the order in which they were given. */
export type Lists = Readonly<Record<string, readonly string[]>>

export interface Context extends Pick<Io, 'input' | 'now' | 'zone' | 'onSignal' | 'exit'> {
  readonly positionals: readonly string[]
  /** the first argument; '' if there is none */
  readonly argument: string
  readonly values: Values
  readonly lists: Lists
  /** @throws Refusal `settings`, which lists all problems */
  readConfig(): Promise<Config>
  /** Opens the database. It is closed when the command ends. */
  openDeps(): Promise<Deps>
  /** Shows the progress of long work on a terminal, but not in a pipe and not with `--json`. */
  showProgress<Result>(work: (onWork: OnLongWork) => Promise<Result>): Promise<Result>
  /** Prints a result: one line of JSON with `--json`, otherwise `shown`. */
  print(result: unknown, shown: Shown): void
  /**
   * Prints a result and a file for another program. In a pipe, the file is written unchanged to standard output, and the result to standard
   * error. A terminal shows both, without control characters. With `--json`, only the result is printed.
   */
  printBeside(result: unknown, shown: Shown, file: Uint8Array): Promise<void>
  /** Writes a piece of a file to standard output. Waits if the reader of standard output is slow. */
  write(piece: string | Uint8Array): Promise<void>
  /** true if standard output is a terminal */
  readonly isOnTerminal: boolean
  /** Prints a remark to standard error, except with `--json`. */
  note(text: string): void
  /** Asks a yes-or-no question on the terminal. Returns true without asking if there is no terminal, or with `--yes`. */
  confirm(question: string): boolean
}

export interface Option {
  readonly type: 'string' | 'boolean'
  /** name of the value in the usage line, such as `FILE`; if omitted, the usage line lists `choices` */
  readonly value?: string
  readonly default?: string | boolean
  /** allowed values, which shell completion offers */
  readonly choices?: readonly string[]
  /** true if the command fails without this option */
  readonly required?: true
  /** true if the option may be given several times; the values are then in `lists` */
  readonly isList?: true
  /** the option that this one replaces */
  readonly instead?: string
  /** another option that must be given for this option to have an effect */
  readonly with?: string
}

/** Exit status of a command; undefined means 0. */
export type ExitStatus = number | undefined

export interface Command {
  /** words of the command, such as `project create` */
  readonly words: string
  /** names of the arguments; optional arguments are in brackets and come last; the last argument may be repeatable, such as `FILE...` */
  readonly takes?: readonly string[]
  /** options in the usage line, such as `[--option VALUE]`; if omitted, {@link optionsUsage} generates them */
  readonly usage?: string
  readonly summary: string
  /** text that only `--help` shows */
  readonly details?: string
  /** a complete command line that works */
  readonly example: string
  readonly options?: Readonly<Record<string, Option>>
  /** true if the command creates a missing database, and checks the integrity of an existing one */
  readonly createsDatabase?: true
  /** Runs the command. Its code is loaded only now, because the descriptions of all commands are loaded for every command line. */
  run(context: Context): Promise<ExitStatus>
  /** Loads the parts of help and completion that are too slow to load for every command line. */
  loadRest?(): Promise<Pick<Command, 'details' | 'options'>>
}

/** Returns the command with its complete help. */
export async function wholeCommand(command: Command): Promise<Command> {
  return { ...command, ...(await command.loadRest?.()) }
}

/** Returns a line such as `overdue project create NAME [--json]`. */
export function usageLine({ words, takes = [], options = {}, usage = optionsUsage(options) }: Command): string {
  return ['overdue', words, ...takes, usage, '[--json]'].filter((part) => part !== '').join(' ')
}

/** Returns a text such as `--name NAME [--timeout SPAN | --schedule EXPRESSION [--tz ZONE]]`. */
function optionsUsage(options: Readonly<Record<string, Option>>): string {
  const all = Object.entries(options)
  const written = ([name, { value, choices = [] }]: (typeof all)[number]): string => {
    const others = all.filter(([, other]) => other.with === name).map((other) => `[${written(other)}]`)
    return [`--${name}`, value ?? choices.join('|'), ...others].filter((word) => word !== '').join(' ')
  }
  const first = all.filter(([, option]) => option.instead === undefined && option.with === undefined)
  const parts = first.map(([name, { required, isList }]) => {
    const words = all
      .filter(([other, { instead }]) => other === name || instead === name)
      .map(written)
      .join(' | ')
    return `${required ? words : `[${words}]`}${isList ? '...' : ''}`
  })
  return parts.join(' ')
}
