/** Formats of files that cannot be read as a dump. */
import { Refusal } from '../../../domain/errors.ts'

const FORMATS = {
  archive: 'an archive of pg_dump, not plain text',
  inserts: 'a dump with INSERT statements in place of COPY',
  several: 'a dump of several databases',
  mysql: 'a MySQL or MariaDB dump',
  django: 'written by dumpdata of Django, which cuts times short',
  encoding: 'a dump in an encoding other than UTF-8',
  other: 'neither a SQLite database nor a PostgreSQL dump',
} as const

export type DumpFormat = keyof typeof FORMATS

export function formatRefusal(path: string, kind: DumpFormat): Refusal {
  return new Refusal('import-format', `the file ${path} is ${FORMATS[kind]}`, { path, kind })
}
