/** Sources made to keep a server from answering: each is a file, or a server that answers its API. */
import { Database } from 'bun:sqlite'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'

export interface HostileSource {
  readonly what: string
  /** name of the program in the form of the page */
  readonly program: string
  /** Creates the source in the folder. @returns its place, and a function that stops it */
  readonly make: (folder: string) => Promise<{ readonly at: string; readonly stop?: () => Promise<unknown> }>
}

const MEGABYTE = 1024 * 1024
const DUMP_HEAD = '--\n-- PostgreSQL database dump\n--\n\n'
const DUMP_END = '\n--\n-- PostgreSQL database dump complete\n--\n\n'
const CHECK_COLUMNS =
  'id, code, name, slug, tags, "desc", project_id, created, kind, timeout, grace, schedule, tz, status'
const PROJECT_COLUMNS = 'id, code, name, owner_id, badge_key'
const CREATED = '2026-05-04 10:00:00+00'

/** @param megabytes of the largest ones @param checks of those with many */
export function hostileSources(megabytes: number, checks: number): readonly HostileSource[] {
  const size = megabytes * MEGABYTE
  const dump = (what: string, pieces: () => Iterable<string>): HostileSource => ({
    what: `dump: ${what}`,
    program: 'healthchecks',
    make: async (folder) => ({ at: written(folder, DUMP_HEAD, pieces(), DUMP_END) }),
  })
  const project = (what: string, pieces: () => Iterable<string>): HostileSource => ({
    what: `project file: ${what}`,
    program: 'project',
    make: async (folder) => ({ at: written(folder, '', pieces(), '') }),
  })
  const server = (what: string, checks: () => string): HostileSource => ({
    what: `running server: ${what}`,
    program: 'healthchecks-server',
    make: async () => serve(checks()),
  })
  const repeated = function* (head: string, piece: string, end: string, bytes = size) {
    yield head
    const some = piece.repeat(Math.ceil(MEGABYTE / piece.length))
    for (let written = 0; written < bytes; written += some.length) yield some
    yield end
  }
  return [
    dump('a row of tabs', () => repeated(`COPY public.api_check (${CHECK_COLUMNS}) FROM stdin;\n`, '\t', '\n\\.\n')),
    dump('a row of 64 MB of escapes', () =>
      repeated('COPY public.accounts_project (id) FROM stdin;\n', '\\x41', '\n\\.\n', 60 * MEGABYTE),
    ),
    dump('a table with millions of columns', () => repeated('COPY public.api_check (id', ', id', ') FROM stdin;\n')),
    dump('empty lines', () => repeated('', '\n', '')),
    dump(`${checks} checks of one time`, () => dumpOfChecks(checks, () => 'backup')),
    dump('checks with long descriptions', () => dumpOfChecks(size / MEGABYTE, () => 'd'.repeat(MEGABYTE))),
    {
      what: 'dump: gzip that unpacks to a hundred times as much',
      program: 'healthchecks',
      make: async (folder) => ({ at: await packedDump(folder, size * 10) }),
    },
    project('brackets', () => repeated('{"format":', '[', '')),
    project('one array of numbers', () => repeated('{"format":[', '0,', '0]}', Math.min(size, 60 * MEGABYTE))),
    project('one text', () => repeated('{"format":"', 'x', '"}')),
    server('60 MB of empty lists', () => `{"checks":[${'[],'.repeat(20 * MEGABYTE)}0]}`),
    server('60 MB of brackets', () => '['.repeat(60 * MEGABYTE)),
    server('60 MB of one text', () => `{"checks":["${'x'.repeat(60 * MEGABYTE)}"]}`),
    server(`${checks} checks`, () => listOfChecks(checks)),
    sqlite('Healthchecks: huge values', 'healthchecks', (database) => hugeValues(database, megabytes)),
    sqlite(`Healthchecks: ${checks} integrations`, 'healthchecks', (database) => manyChannels(database, checks)),
    sqlite('Uptime Kuma: monitors of one name with all tags', 'uptime-kuma', (database) =>
      manyMonitors(database, checks / 20),
    ),
  ]
}

let files = 0

function written(folder: string, head: string, pieces: Iterable<string>, end: string): string {
  const path = join(folder, `hostile-${files++}`)
  const file = openSync(path, 'w')
  writeSync(file, head)
  for (const piece of pieces) writeSync(file, piece)
  writeSync(file, end)
  closeSync(file)
  return path
}

async function packedDump(folder: string, size: number): Promise<string> {
  const path = join(folder, `hostile-${files++}`)
  const gzip = createGzip()
  const done = Bun.write(path, new Response(gzip as never))
  gzip.write(DUMP_HEAD)
  const spaces = Buffer.alloc(MEGABYTE, '\n')
  for (let bytes = 0; bytes < size; bytes += MEGABYTE) {
    if (!gzip.write(spaces)) await new Promise((resolve) => gzip.once('drain', resolve))
  }
  gzip.end(DUMP_END)
  await done
  return path
}

function* dumpOfChecks(checks: number, describe: () => string): Generator<string> {
  yield `COPY public.accounts_project (${PROJECT_COLUMNS}) FROM stdin;\n1\t${crypto.randomUUID()}\tHostile ${files}\t1\tbadges ${files}\n\\.\n`
  yield `COPY public.api_check (${CHECK_COLUMNS}) FROM stdin;\n`
  for (let id = 1; id <= checks; id++) {
    const values = [id, crypto.randomUUID(), `check ${id}`, 'slug', 'tags', describe(), 1, CREATED]
    yield `${[...values, 'simple', '01:00:00', '01:00:00', '* * * * *', 'UTC', 'up'].join('\t')}\n`
  }
  yield '\\.\n'
}

function listOfChecks(checks: number): string {
  const list = Array.from({ length: checks }, (_, index) => {
    const uuid = crypto.randomUUID()
    return {
      name: `check ${index}`,
      uuid,
      timeout: 3_600,
      grace: 3_600,
      n_pings: 0,
      status: 'new',
      last_ping: null,
      channels: '',
    }
  })
  return JSON.stringify({ checks: list })
}

/** @param checks answer of its list of checks, made in advance, because the process also sends pings */
async function serve(checks: string) {
  const [long, short] = [Buffer.from(checks), '{"channels":[],"flips":[],"pings":[]}']
  const fetch = ({ url }: Request) => new Response(new URL(url).pathname.endsWith('/checks/') ? long : short)
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch })
  return { at: server.url.href, stop: () => server.stop(true) }
}

function sqlite(what: string, program: string, fill: (database: Database) => void): HostileSource {
  return {
    what,
    program,
    async make(folder) {
      const at = join(folder, `hostile-${files++}`)
      const database = new Database(at)
      database.transaction(() => fill(database))()
      database.close()
      return { at }
    },
  }
}

function withProject(database: Database): void {
  database.run(`CREATE TABLE accounts_project (${PROJECT_COLUMNS})`)
  database.run(`CREATE TABLE api_check (${CHECK_COLUMNS})`)
  database.run('CREATE TABLE api_channel (id, code, name, project_id, created, kind, value, email_verified, disabled)')
  database.run('INSERT INTO accounts_project VALUES (1, ?, ?, 1, ?)', [
    crypto.randomUUID(),
    `Hostile ${files}`,
    `badges ${files}`,
  ])
}

function hugeValues(database: Database, megabytes: number): void {
  withProject(database)
  const insert = database.prepare('INSERT INTO api_check (id, code, "desc", project_id) VALUES (?, ?, ?, 1)')
  const text = 'd'.repeat(10 * MEGABYTE)
  for (let id = 1; id <= megabytes / 10; id++) insert.run(id, crypto.randomUUID(), text)
}

function manyChannels(database: Database, channels: number): void {
  withProject(database)
  const insert = database.prepare(`INSERT INTO api_channel VALUES (?, ?, 'mail', 1, '${CREATED}', 'email', ?, 1, 0)`)
  for (let id = 1; id <= channels; id++) insert.run(id, crypto.randomUUID(), `user${id}@example.org`)
}

function manyMonitors(database: Database, monitors: number): void {
  database.run('CREATE TABLE monitor (id, name, type, push_token)')
  database.run('CREATE TABLE heartbeat (id, monitor_id, status, msg, time, important)')
  database.run('CREATE INDEX beats ON heartbeat (monitor_id)')
  database.run('CREATE TABLE tag (id, name)')
  database.run('CREATE TABLE monitor_tag (id, monitor_id, tag_id, value)')
  const monitor = database.prepare("INSERT INTO monitor VALUES (?, 'backup', 'push', ?)")
  const tag = database.prepare('INSERT INTO monitor_tag VALUES (?, ?, 1, ?)')
  database.run("INSERT INTO tag VALUES (1, 'tag')")
  for (let id = 1; id <= monitors; id++) {
    monitor.run(id, `token${id}`)
    tag.run(id, id, String(id))
  }
}
