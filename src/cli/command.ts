/** What a command of the command line is, and what it is given. */
import type { Config } from '../config.ts'
import { UserError } from '../domain/errors.ts'
import type { OnLongWork } from '../domain/long-work.ts'
import type { Project } from '../domain/project.ts'
import { type Clock, type Instant, isoSeconds } from '../domain/time.ts'
import { canonicalTimeZone } from '../domain/time-zones.ts'
import type { Deps } from '../services/deps.ts'
import { getProject } from '../services/projects.ts'
import type { Shown } from './screen.ts'

export type Values = Readonly<Record<string, string | boolean | undefined>>

export interface Context {
  readonly config: Config
  readonly positionals: readonly string[]
  readonly values: Values
  readonly now: Clock
  /** Opens the database when the command needs it; closed after the command. */
  openDeps(): Promise<Deps>
  /** Runs work that may be long; what it announces is shown on a terminal, not in a pipe and not with `--json`. */
  showProgress<Result>(work: (onWork: OnLongWork) => Promise<Result>): Promise<Result>
  /** Prints a result: as one line of JSON with `--json`, else as `shown`. */
  print(result: unknown, shown: Shown): void
  /** Tells a person what is going on, on standard error; nothing with `--json`. */
  note(text: string): void
  /** Asks a person on a terminal; true where there is no terminal to ask on. */
  confirm(question: string): boolean
}

export interface Option {
  readonly type: 'string' | 'boolean'
  readonly default?: string | boolean
  /** what shells offer as its value */
  readonly choices?: readonly string[]
}

export interface Command {
  /** `project create` */
  readonly words: string
  /** names of its arguments; one that may be left out is in brackets and comes after the others */
  readonly takes?: readonly string[]
  /** its options: `[--option VALUE]` */
  readonly usage?: string
  readonly summary: string
  /** what `--help` adds */
  readonly details?: string
  /** a call that works */
  readonly example: string
  readonly options?: Readonly<Record<string, Option>>
  /** creates the database when there is none */
  readonly makesDatabase?: true
  /** @returns the exit status; nothing is 0 */
  run(context: Context): Promise<number | undefined>
}

/** `overdue project create NAME [--json]` */
export function usageLine({ words, takes = [], usage = '' }: Command): string {
  return ['overdue', words, ...takes, usage, '[--json]'].filter((part) => part !== '').join(' ')
}

/** @throws UserError that names all of the options that are not given */
export function requireAll(values: Values, ...names: readonly string[]): string[] {
  const missing = names.filter((name) => typeof values[name] !== 'string' || values[name] === '')
  if (missing.length > 0) {
    const options = new Intl.ListFormat('en').format(missing.map((name) => `--${name}`))
    throw new UserError(`${options} ${missing.length === 1 ? 'is' : 'are'} missing`, 'see --help')
  }
  return names.map((name) => String(values[name]))
}

/** The value of an option that must be given. @throws UserError */
export function required(values: Values, name: string): string {
  const [value = ''] = requireAll(values, name)
  return value
}

/** @returns the canonical name. @throws UserError */
export function readZone(name: string): string {
  const zone = canonicalTimeZone(name)
  if (zone === null) throw new UserError(`unknown time zone "${name}"`, 'use an IANA name such as Europe/Riga')
  return zone
}

/** The project that `--project` names, in an open database. @throws UserError when it is not given, or there is none */
export async function openProject({
  openDeps,
  values,
}: Pick<Context, 'openDeps' | 'values'>): Promise<{ deps: Deps; project: Project }> {
  const idOrName = required(values, 'project')
  const deps = await openDeps()
  return { deps, project: await getProject(deps, idOrName) }
}

export function timeOrNull(instant: Instant | null): string | null {
  return instant === null ? null : isoSeconds(instant)
}
