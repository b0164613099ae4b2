/** Implements `overdue import healthchecks --url`, which imports from a running server over its API. */
import { openHealthchecksServer } from '../../app/import-sources.ts'
import type { Deps } from '../../services/common/deps.ts'
import type { Context } from '../command.ts'
import { stopSignal } from '../terminal/stop-signal.ts'
import { optionError } from '../usage.ts'
import { importFrom, readSecretFile } from './run.ts'

/** Options that only apply to an import from a database. */
const OTHERS = ['secret-key', 'secret-key-file', 'verify'] as const

export async function importServer(context: Context, url: string): Promise<undefined> {
  const { values, lists, showProgress } = context
  const other = OTHERS.find((name) => values[name] !== undefined)
  if (other !== undefined) throw optionError(`--${other} cannot be used with --url`, `leave --${other} out`)
  const apiKeys = await readKeys(context)
  const names = lists.project ?? []
  if (names.length > apiKeys.length) {
    throw optionError('there are more project names than API keys', 'give --project once for each API key')
  }
  const signal = stopSignal(context)
  const open = ({ now }: Pick<Deps, 'now'>) =>
    showProgress((onWork) =>
      openHealthchecksServer({
        ...{ url, apiKeys, names, now, signal, allowPrivateAddresses: true },
        onCheck: (done, of) => onWork({ doing: 'importing', table: 'checks', rows: of, done }),
      }),
    )
  return importFrom(context, open, { signal })
}

/** @throws Refusal `option-invalid` */
async function readKeys({ values, lists, input }: Context): Promise<readonly string[]> {
  const { 'api-key-file': file } = values
  const given = lists['api-key'] ?? []
  if (file !== undefined && given.length > 0) {
    throw optionError('--api-key and --api-key-file cannot be given together', 'give the file only')
  }
  const keys = file === undefined ? given : (await readSecretFile('--api-key-file', String(file), input)).split(/\r?\n/)
  const trimmed = keys.map((key) => key.trim()).filter((key) => key !== '')
  if (trimmed.length === 0) throw optionError('--url needs an API key', 'give --api-key-file or --api-key')
  // Some characters cannot be sent in a header.
  const wrong = trimmed.findIndex((key) => !/^[\x21-\x7e]{1,200}$/.test(key))
  if (wrong >= 0) throw optionError(`API key ${wrong + 1} has a character that API keys never have`, 'copy it again')
  return trimmed
}
