/** `overdue import uptime-kuma` */
import { openUptimeKuma } from '../../app/import-sources.ts'
import type { Context } from '../command.ts'
import { importFrom, warnOfReaders } from './run.ts'

export function importUptimeKuma(context: Context): Promise<undefined> {
  const { project } = context.values
  const database = String(context.values.database)
  warnOfReaders(context, database)
  return importFrom(context, ({ pingLogLimit, now, transports }) =>
    openUptimeKuma(database, { project: String(project), pingLogLimit, now: now(), transports }),
  )
}
