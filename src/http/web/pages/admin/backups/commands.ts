/** Shell commands for backing up, upgrading and moving this server, for an administrator to copy. The commands contain no secrets. */
import { dirname, join } from 'node:path'
import { quoteForShell } from '../../../../../lib/text/text.ts'
import type { ServerPlace } from '../../../../../services/common/deps.ts'

type Place = Pick<ServerPlace, 'database' | 'program' | 'isInContainer'>

/** A server whose database is a SQLite file. */
export interface FilePlace {
  readonly place: Place
  /** absolute path of the database file */
  readonly database: string
  readonly version: string
}

/** Docker Compose command. The Compose file in this repository names both the service and the image `overdue`. */
const COMPOSE = 'docker compose -f deploy/container/compose.yaml'

/** The Docker volume that contains the service's data. */
const VOLUME = 'overdue_data'

/** The directory that `deploy/single-host/install.sh` installs the program in. */
const INSTALLED = '/opt/overdue'

/** @param siteRoot value of SITE_ROOT */
export function upgradeOfFile(server: FilePlace, siteRoot: string): string {
  const { place, version } = server
  const backup = commandOf(server, 'backup', besideDatabase(server, `before-upgrade-from-${version}.db`))
  return [backup, ...programLines(place, siteRoot)].join('\n')
}

/** Returns the commands for the old machine. They stop the server first, so that it accepts no ping after the backup. */
export function leave(server: FilePlace): string {
  const file = besideDatabase(server, 'move.db')
  const lines = server.place.isInContainer
    ? [
        `${COMPOSE} stop`,
        `docker run --rm -v ${VOLUME}:/data overdue backup --force ${word(file)}`,
        `${COMPOSE} cp ${word(`overdue:${file}`)} move.db`,
        'scp move.db new.example.org:/tmp/move.db',
      ]
    : [
        'sudo systemctl stop overdue',
        commandOf(server, 'backup --force', file),
        `sudo scp ${word(file)} new.example.org:/tmp/move.db`,
      ]
  return lines.join('\n')
}

/** Returns the path of a file next to the database. The database's directory always exists, whereas the backup directory might not. */
function besideDatabase({ database }: FilePlace, name: string): string {
  return join(dirname(database), name)
}

/** Returns the commands for the new machine. Overdue must already be installed there, but must not have been started. */
export function arrive(server: FilePlace): string {
  if (server.place.isInContainer) {
    return [
      `docker run --rm --user 0 -v ${VOLUME}:/data -v /tmp/move.db:/move.db:ro overdue restore --force /move.db`,
      `${COMPOSE} start`,
    ].join('\n')
  }
  return [commandOf(server, 'restore', '/tmp/move.db'), 'sudo systemctl start overdue'].join('\n')
}

export function dump({ database }: Pick<Place, 'database'>): string {
  return `pg_dump --dbname=${word(database)} --format=custom --file=overdue.dump`
}

/** Returns the command that restores a dump into an empty database. */
export function restoreDump(): string {
  return 'pg_restore --no-owner --dbname=postgres://overdue@new.example.org/overdue overdue.dump'
}

/** @param siteRoot value of SITE_ROOT */
export function upgradeOnPostgres(place: Place, siteRoot: string): string {
  return [dump(place), ...programLines(place, siteRoot)].join('\n')
}

/** @param words command and options, such as `backup --force` */
function commandOf({ place, database }: FilePlace, words: string, file: string): string {
  if (place.isInContainer) return `${COMPOSE} exec overdue overdue ${words} ${word(file)}`
  const program = place.program.map(word).join(' ')
  return `sudo env ${word(`DATABASE_URL=sqlite:${database}`)} ${program} ${words} ${word(file)}`
}

/** Returns the commands that replace this version with the new version and start it. */
function programLines({ program, isInContainer }: Place, siteRoot: string): readonly string[] {
  if (isInContainer) return [`SITE_ROOT=${word(siteRoot)} ${COMPOSE} up -d --build`]
  const [runtime = '', main] = program
  if (main === undefined) {
    return [
      '# in the folder with the executable of the new version',
      'sudo systemctl stop overdue',
      `sudo install -m 755 overdue ${word(runtime)}`,
      'sudo systemctl start overdue',
    ]
  }
  return [
    '# in the folder of the new version',
    'sudo systemctl stop overdue',
    ...replaceSource(runtime, dirname(dirname(main))),
    'sudo systemctl start overdue',
  ]
}

function replaceSource(runtime: string, folder: string): readonly string[] {
  if (folder === INSTALLED) return ['sudo deploy/single-host/install.sh']
  const to = word(folder)
  return [
    `sudo rm -rf ${to}/src ${to}/docs`,
    `sudo cp -r package.json bun.lock schema.sql src README.md CHANGELOG.md docs ${to}/`,
    `(cd ${to} && sudo ${word(runtime)} install --frozen-lockfile --production --omit=peer)`,
  ]
}

const PLAIN = /^[\w./:=@%+,-]+$/

/** Quotes a word for the shell only if it needs quoting, which keeps the commands readable. */
function word(text: string): string {
  return PLAIN.test(text) ? text : quoteForShell(text)
}
