/** What a command of the command line is, and what it is given. */
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config.ts'
import { UserError } from '../domain/errors.ts'
import type { OnLongWork } from '../domain/long-work.ts'
import type { Project } from '../domain/project.ts'
import { oneLine } from '../domain/text.ts'
import { type Clock, type Instant, isoSeconds } from '../domain/time.ts'
import { canonicalTimeZone } from '../domain/time-zones.ts'
import type { Deps } from '../services/deps.ts'
import { getProject } from '../services/projects.ts'

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
  /** Prints a result: as one line of JSON with `--json`, else as `text`. */
  print(result: unknown, text: string): void
}

export interface Command {
  /** `project create` */
  readonly words: string
  /** what follows the words: `NAME [--option VALUE]` */
  readonly usage: string
  readonly summary: string
  /** what `--help` adds */
  readonly details?: string
  readonly options?: ParseArgsOptionsConfig
  /** makes the database when there is none */
  readonly makesDatabase?: true
  /** how many positional arguments it takes: exactly, or from and to */
  readonly positionals: number | readonly [number, number]
  /** @returns the exit status; nothing is 0 */
  run(context: Context): Promise<number | undefined>
}

/** Columns as wide as their widest cell; each cell on one line, whatever strangers wrote in it. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(oneLine))
  const widths = rows.reduce<number[]>((max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, cell.length)), [])
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The value of an option that must be given. @throws UserError */
export function required(values: Values, name: string): string {
  const value = values[name]
  if (typeof value !== 'string' || value === '') throw new UserError(`--${name} is missing`, 'see --help')
  return value
}

/** @returns the canonical name. @throws UserError */
export function readZone(name: string): string {
  const zone = canonicalTimeZone(name)
  if (zone === null) throw new UserError(`unknown time zone "${name}"`, 'give an IANA name such as Europe/Riga')
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
