/**
 * The description of a command, and the context in which it runs.
 *
 * A command is an entry in `commands.ts` of its group's folder, with an example that works, which a test runs, and a function in
 * `actions.ts`, which is loaded when it runs. `index.ts` lists the groups. Help and completion follow from the entry. `openProject`
 * (`project/open-project.ts`) and `openCheck` (`check/find-check.ts`) read the usual arguments.
 */
import type { Config } from '../config/config.ts'
import type { OnLongWork } from '../lib/work/long-work.ts'
import type { Deps } from '../services/common/deps.ts'
import type { Io } from './terminal/io.ts'
import type { Shown } from './terminal/screen.ts'

/** The option of commands that work in one project. It may be omitted if there is only one. */
export const PROJECT = { project: { type: 'string', value: 'NAME_OR_ID' } } as const

export type Values = Readonly<Record<string, string | boolean | undefined>>

/** Values of options that may be given several times, in order. */
export type Lists = Readonly<Record<string, readonly string[]>>

export interface Context extends Pick<Io, 'input' | 'now' | 'zone' | 'onSignal' | 'exit'> {
  readonly positionals: readonly string[]
  /** the first argument; '' without one */
  readonly argument: string
  readonly values: Values
  readonly lists: Lists
  /** @throws Refusal `settings` with all problems */
  readConfig(): Promise<Config>
  /** Opens the database, which is closed after the command. */
  openDeps(): Promise<Deps>
  /** Shows the progress of long work on a terminal, but not in a pipe and not with `--json`. */
  showProgress<Result>(work: (onWork: OnLongWork) => Promise<Result>): Promise<Result>
  /** Prints a result: as one line of JSON with `--json`, else as `shown`. */
  print(result: unknown, shown: Shown): void
  /**
   * Prints a result, and a file for another program: with `--json` only the result. Programs get every byte of the file on standard output,
   * and people the result on standard error. A terminal shows both, without control characters.
   */
  printBeside(result: unknown, shown: Shown, file: Uint8Array): Promise<void>
  /** Writes a piece of a file on standard output, and waits while its reader is slow. */
  write(piece: string | Uint8Array): Promise<void>
  /** true: standard output is a terminal */
  readonly isOnTerminal: boolean
  /** Prints a remark on standard error; nothing with `--json`. */
  note(text: string): void
  /** Asks a question on a terminal; true without a terminal, and with `--yes`. */
  confirm(question: string): boolean
}

export interface Option {
  readonly type: 'string' | 'boolean'
  /** name of the value in usage: `FILE`; omitted: its choices */
  readonly value?: string
  readonly default?: string | boolean
  /** the values that shells complete */
  readonly choices?: readonly string[]
  /** true: the command fails without it */
  readonly required?: true
  /** true: it may be given several times; `lists` has its values */
  readonly isList?: true
  /** the option that this one replaces */
  readonly instead?: string
  /** the option that this one needs to have an effect */
  readonly with?: string
}

/** undefined counts as 0 */
export type ExitStatus = number | undefined

export interface Command {
  /** `project create` */
  readonly words: string
  /** names of its arguments; optional ones are in brackets and last; the last one may be repeated: `FILE...` */
  readonly takes?: readonly string[]
  /** its options: `[--option VALUE]`; omitted: as {@link optionsUsage} writes them */
  readonly usage?: string
  readonly summary: string
  /** text that only `--help` shows */
  readonly details?: string
  /** a complete command line */
  readonly example: string
  readonly options?: Readonly<Record<string, Option>>
  /** creates the database if there is none, and checks the integrity of an existing one */
  readonly createsDatabase?: true
  /** Runs the command, and loads its code only then: descriptions are read for every command line. */
  run(context: Context): Promise<ExitStatus>
  /** Loads further parts of help and completion, which are too heavy to be read for every command line. */
  loadRest?(): Promise<Pick<Command, 'details' | 'options'>>
}

/** Returns the command with its whole help. */
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
