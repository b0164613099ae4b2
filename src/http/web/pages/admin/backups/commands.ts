/** Commands for this server, to be copied: backups, upgrading, moving. None contains a secret. */
import { dirname, join } from 'node:path'
import { quoteForShell } from '../../../../../lib/text/text.ts'
import type { ServerPlace } from '../../../../../services/common/deps.ts'

type Place = Pick<ServerPlace, 'database' | 'program' | 'isInContainer'>

/** A server whose database is a file. */
export interface FilePlace {
  readonly place: Place
  /** absolute path */
  readonly database: string
  readonly version: string
}

/** The name of a container, as in docs/operate.md. */
const CONTAINER = 'overdue'

/** The folder in which `deploy/single-host/install.sh` replaces the program. */
const INSTALLED = '/opt/overdue'

/** @param siteRoot value of SITE_ROOT */
export function upgradeOfFile(server: FilePlace, siteRoot: string): string {
  const { place, version } = server
  const backup = commandOf(server, 'backup', besideDatabase(server, `before-upgrade-from-${version}.db`))
  return [backup, ...programLines(place, siteRoot)].join('\n')
}

/** Returns the commands for the old machine. No ping is accepted after the backup, since the server is stopped first. */
export function leave(server: FilePlace): string {
  const file = besideDatabase(server, 'move.db')
  const lines = server.place.isInContainer
    ? [
        `docker stop ${CONTAINER}`,
        `docker run --rm -v overdue:/data overdue backup --force ${word(file)}`,
        `docker cp ${word(`${CONTAINER}:${file}`)} move.db`,
        'scp move.db new.example.org:/tmp/move.db',
      ]
    : [
        'sudo systemctl stop overdue',
        commandOf(server, 'backup --force', file),
        `sudo scp ${word(file)} new.example.org:/tmp/move.db`,
      ]
  return lines.join('\n')
}

/** Returns a path next to the database. That folder exists, but the folder of backups may not exist yet. */
function besideDatabase({ database }: FilePlace, name: string): string {
  return join(dirname(database), name)
}

/** Returns the commands for the new machine, where Overdue is installed and has not been started. */
export function arrive(server: FilePlace): string {
  if (server.place.isInContainer) {
    return [
      'docker run --rm --user 0 -v overdue:/data -v /tmp/move.db:/move.db:ro overdue restore --force /move.db',
      `docker start ${CONTAINER}`,
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

/** @param words the words of the command */
function commandOf({ place, database }: FilePlace, words: string, file: string): string {
  if (place.isInContainer) return `docker exec ${CONTAINER} overdue ${words} ${word(file)}`
  const program = place.program.map(word).join(' ')
  return `sudo env ${word(`DATABASE_URL=sqlite:${database}`)} ${program} ${words} ${word(file)}`
}

/** Returns the commands that replace this version with the new one, and start it. */
function programLines({ program, isInContainer }: Place, siteRoot: string): readonly string[] {
  if (isInContainer)
    return [`SITE_ROOT=${word(siteRoot)} docker compose -f deploy/container/compose.yaml up -d --build`]
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
    '# in the folder of the new version, which is another one',
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

/** Quotes a word only if needed, since people read it. */
function word(text: string): string {
  return PLAIN.test(text) ? text : quoteForShell(text)
}
