/** Code that all import commands share. */
import { readFileSync, statSync } from 'node:fs'
import { OPERATOR } from '../../domain/actor.ts'
import type { ImportSource } from '../../domain/import/import-source.ts'
import { applyImport } from '../../import/engine/apply.ts'
import { planImport } from '../../import/engine/plan.ts'
import { reportImport } from '../../import/engine/report.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Context } from '../command.ts'
import { requireNoPipe } from '../read-files.ts'
import type { Input } from '../terminal/io.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { optionError } from '../usage.ts'
import { importJson, importWords } from './words.ts'

/**
 * Opens the database and the source, plans the import, applies the plan if `--apply` is given, and prints the report.
 * @param signal stops the import after the current transaction; by default, Ctrl-C triggers it once the source is open
 * @param check called before the import is planned; throws to reject the source
 */
export async function importFrom(
  context: Context,
  open: (deps: Deps) => Promise<ImportSource>,
  { signal, check }: { signal?: AbortSignal; check?: (source: ImportSource) => void } = {},
): Promise<undefined> {
  const deps = await context.openDeps()
  const source = await open(deps)
  try {
    check?.(source)
    await runImport(context, deps, source, signal ?? stopSignal(context))
  } finally {
    await source.close()
  }
}

async function runImport(context: Context, deps: Deps, source: ImportSource, signal: AbortSignal): Promise<void> {
  const { values, showProgress, print } = context
  const begun = performance.now()
  const plan = await planImport(deps, OPERATOR, source)
  const applied = values.apply
    ? await showProgress((onWork) => applyImport(deps, OPERATOR, source, plan, { signal, onWork }))
    : null
  const report = await reportImport(source, plan, applied)
  const seconds = Math.round(performance.now() - begun) / 1000
  print(importJson(report, seconds), importWords(report, seconds))
}

/**
 * Reads a secret from a file. A secret on the command line would be visible to other users of the machine. Ignores the line break that
 * editors add at the end of the file.
 * @param option the option that names the file
 * @param path `-` is standard input
 * @throws Refusal `option-invalid`
 */
export async function readSecretFile(option: string, path: string, input: Input): Promise<string> {
  requireNoPipe(path)
  try {
    const text = path === '-' ? await input.text() : readFileSync(path, 'utf8')
    return text.replace(/\r?\n$/, '')
  } catch (error) {
    throw optionError(
      `${option}: cannot read ${path}: ${reasonOf(error)}`,
      'check the path, and that this user may read the file',
    )
  }
}

/** Returns the secret given with `--secret-key` or `--secret-key-file`. @returns null if none was given @throws Refusal `option-invalid` */
export async function readSecret({ values, input }: Pick<Context, 'values' | 'input'>): Promise<string | null> {
  const { 'secret-key': given, 'secret-key-file': file } = values
  if (given !== undefined && file !== undefined) {
    throw optionError('--secret-key and --secret-key-file cannot be given together', 'give the file only')
  }
  const secret = file === undefined ? given : await readSecretFile('--secret-key-file', String(file), input)
  if (secret === undefined) return null
  if (secret === '') throw optionError('the secret is empty', 'without a secret, leave the option out')
  return String(secret)
}

const OTHERS_READ = 0o004

/** @param path the path of a file that contains secrets; other code reports an error if it cannot be read */
export function warnOfReaders({ note }: Context, path: string): void {
  if ((modeOf(path) & OTHERS_READ) === 0) return
  note(`warning: every user of this machine can read ${path}, which contains keys and tokens: run chmod 600 on it`)
}

function modeOf(path: string): number {
  try {
    return statSync(path).mode
  } catch {
    return 0
  }
}
