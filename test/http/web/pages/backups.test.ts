/** The page of backups: its text, its button, and its commands. */
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createHref } from '../../../../src/http/web/href.ts'
import { backupsPage } from '../../../../src/http/web/pages/admin/backups/page.ts'
import { addAccount, administrator, signedIn } from '../../../support/browser.ts'
import { NOON } from '../../../support/builders.ts'
import { type Folder, folderOnDisk } from '../../../support/folder.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

// Backups run with the lowest priority, so they take long while a machine does other work.
setDefaultTimeout(300_000)

let folder: Folder
let t: TestApp
beforeEach(() => {
  folder = folderOnDisk()
})
afterEach(async () => {
  await t.close()
  folder.remove()
})

async function open(env: Readonly<Record<string, string>> = {}) {
  t = await testApp({ env: { DATABASE_URL: `sqlite:${folder.file('o.db')}`, ...env } })
  return administrator(t, { email: 'root@example.org' })
}

/** Resolves when no backup is in progress. */
async function ended(admin: Awaited<ReturnType<typeof open>>): Promise<string> {
  for (;;) {
    const { text, headers } = await admin.get('/admin/backups')
    if (headers.get('refresh') === null) return text
    expect(text).toContain('Backup in progress')
    expect(text).not.toContain('Back up now')
    await Bun.sleep(20)
  }
}

describe('a backup by hand', () => {
  test('is taken into the folder beside the database, shown, and given to whoever asks for it', async () => {
    const admin = await open()
    const before = wordsOf((await admin.get('/admin/backups')).text)
    expect(before).toContain(`Last backup none yet Folder ${folder.file('backups')} Schedule none.`)
    expect(readdirSync(folder.path)).not.toContain('backups')
    expect((await admin.post('/admin/backups')).status).toBe(303)
    const text = await ended(admin)
    const [name = ''] = readdirSync(folder.file('backups'))
    expect(name).toEndWith('-by-hand.db')
    expect(wordsOf(text)).toContain(`1 backup in the folder`)
    expect(wordsOf(text)).toMatch(new RegExp(`${name} now [0-9.]+ MB hand Download`))
    const file = await admin.post('/admin/backups/download', { name })
    expect(file.text).toStartWith('SQLite format 3')
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect((await admin.post('/admin/backups/download', { name: '../o.db' })).status).toBe(404)
    const audit = wordsOf((await admin.get('/admin/audit')).text)
    expect(audit).toContain(`root@example.org started the backup ${name}`)
    expect(audit).toContain(`root@example.org downloaded the backup ${name}`)
  })

  test('that fails leaves nothing, and the page says why and what to do', async () => {
    const admin = await open({ BACKUP_DIRECTORY: folder.file('b') })
    mkdirSync(folder.file('b'))
    t.app.deps.store.server.probe = async () => {
      throw new Error('the disk <b>is</b> gone: free some space')
    }
    await admin.post('/admin/backups')
    const text = await ended(admin)
    expect(text).toContain('role="alert"')
    expect(wordsOf(text)).toContain('Backup failed, now. The disk &lt;b&gt;is&lt;/b&gt; gone: free some space.')
    expect(readdirSync(folder.file('b'))).toEqual([])
  })

  test('into a folder that is none is refused in words', async () => {
    const admin = await open()
    writeFileSync(folder.file('backups'), 'a file')
    expect(wordsOf((await admin.get('/admin/backups')).text)).toMatch(
      /The backup folder cannot be used\. .*ENOTDIR.* check that BACKUP_DIRECTORY points to a folder/,
    )
  })

  test('is only for administrators', async () => {
    await open()
    const other = await signedIn(t, await addAccount(t, { email: 'mia@example.org' }))
    for (const path of ['/admin/backups', '/admin/backups/download']) {
      expect((await other.get(path)).status).toBe(403)
      expect((await other.post(path)).status).toBe(403)
    }
    expect(readdirSync(folder.path)).not.toContain('backups')
  })
})

describe('a database without a backup for a week', () => {
  test('is amber on the page, on the health of the server, and on the overview of administrators', async () => {
    const admin = await open()
    expect((await admin.get('/admin/backups')).text).not.toContain('note late')
    t.clock.advance({ hours: 169 })
    expect(wordsOf((await admin.get('/admin/backups')).text)).toContain('This database has no backup.')
    expect((await admin.get('/admin')).text).toContain('<dt>Last backup</dt><dd><svg class="st late"')
    expect(wordsOf((await admin.get('/')).text)).toContain('No backup. Backups')
    const other = await signedIn(t, await addAccount(t, { email: 'mia@example.org' }))
    expect(wordsOf((await other.get('/')).text)).not.toContain('No backup')
    await t.app.deps.store.server.recordBackup({ at: t.clock.now(), bytes: 1, seconds: null, file: '/b/by-cron.db' })
    const text = wordsOf((await admin.get('/admin/backups')).text)
    expect(text).not.toContain('no backup')
    expect(text).toContain('/b/by-cron.db')
  })
})

describe('commands', () => {
  const place = {
    engine: 'SQLite',
    database: 'data/o.db',
    hasOwnClock: false,
    program: ['/usr/local/bin/bun', '/opt/over due/src/main.ts'],
    isInContainer: false,
    mailDomain: null,
  }
  const data = {
    href: createHref('http://localhost', (path) => path),
    now: NOON,
    tz: 'UTC',
    version: '0.1.0',
    siteRoot: 'https://overdue.example.org',
    hasSecretKey: true,
  }
  const seen = {
    ...{ newest: null, failure: null, usedSince: null, plan: { schedule: null, keep: 7 } },
    ...{ directory: '/srv/back ups', database: "/srv/o'b.db", isOld: false, kept: [], problem: null, underWay: null },
  }
  const commandsOf = (over: object, of: typeof seen | null = seen) => {
    const page = backupsPage({ ...data, seen: of, place: { ...place, ...over } }).body
    const { text } = page as { text: string }
    return Array.from(text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g), ([, lines = '']) =>
      lines.replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    )
  }

  beforeEach(async () => {
    t = await testApp()
  })

  test('have the paths of this server, quoted for a shell', () => {
    const [upgrade = '', leave = '', arrive = ''] = commandsOf({})
    const program = "/usr/local/bin/bun '/opt/over due/src/main.ts'"
    const setting = `'DATABASE_URL=sqlite:/srv/o'\\''b.db'`
    expect(upgrade).toStartWith(`sudo env ${setting} ${program} backup /srv/before-upgrade-from-0.1.0.db\n`)
    expect(upgrade).toContain("(cd '/opt/over due' && sudo /usr/local/bin/bun install --frozen-lockfile")
    expect(leave).toContain(`sudo systemctl stop overdue\nsudo env ${setting} ${program} backup --force`)
    expect(arrive).toStartWith(`sudo env ${setting} ${program} restore /tmp/move.db\n`)
  })

  test('run the script that installed the program', () => {
    const [upgrade = ''] = commandsOf({ program: ['/usr/local/bin/bun', '/opt/overdue/src/main.ts'] })
    expect(upgrade.split('\n').slice(2)).toEqual([
      'sudo systemctl stop overdue',
      'sudo deploy/single-host/install.sh',
      'sudo systemctl start overdue',
    ])
  })

  test('are those of the executable, and those of a container', () => {
    expect(commandsOf({ program: ['/usr/local/bin/overdue'] })[0]).toContain(
      'sudo install -m 755 overdue /usr/local/bin/overdue',
    )
    const [upgrade, leave, arrive] = commandsOf({ isInContainer: true })
    expect(upgrade).toStartWith('docker compose -f deploy/container/compose.yaml exec overdue overdue backup ')
    expect(upgrade).toEndWith(
      'SITE_ROOT=https://overdue.example.org docker compose -f deploy/container/compose.yaml up -d --build',
    )
    expect(leave).toStartWith('docker compose -f deploy/container/compose.yaml stop\n')
    expect(arrive).toContain('docker run --rm --user 0 -v overdue_data:/data')
  })

  test('for PostgreSQL are those of PostgreSQL, without a password, and there is no button', () => {
    const [dump, restore, upgrade] = commandsOf(
      { engine: 'PostgreSQL', database: 'postgres://o@db1,db2/o?sslmode=verify-full' },
      null,
    )
    expect(dump).toBe(
      "pg_dump --dbname='postgres://o@db1,db2/o?sslmode=verify-full' --format=custom --file=overdue.dump",
    )
    expect(restore).toStartWith('pg_restore --no-owner ')
    expect(upgrade).toStartWith(`${dump}\n`)
    const page = backupsPage({ ...data, seen: null, place: { ...place, engine: 'PostgreSQL' } }).body
    expect((page as { text: string }).text).not.toContain('<form')
  })

  test('are none for a database in memory, which cannot be backed up', () => {
    expect(commandsOf({}, null)).toEqual([])
  })
})
