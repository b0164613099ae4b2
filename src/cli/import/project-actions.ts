/** `overdue import project` */
import { openProject } from '../../app/import-sources.ts'
import type { Context } from '../command.ts'
import { importFrom, readSecret, warnOfReaders } from './run.ts'

export async function importProject(context: Context): Promise<undefined> {
  const [path = ''] = context.positionals
  const secret = await readSecret(context)
  warnOfReaders(context, path)
  return importFrom(context, (deps) => openProject(path, deps, secret))
}
