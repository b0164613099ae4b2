import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { OPERATOR, type Person } from '../../src/domain/actor.ts'
import type { Flip } from '../../src/domain/check/flip.ts'
import type { ImportedCheck, ImportedProject, ImportSource } from '../../src/domain/import/import-source.ts'
import { hashApiKey } from '../../src/domain/project.ts'
import { applyImport } from '../../src/import/engine/apply.ts'
import { planImport } from '../../src/import/engine/plan.ts'
import { signIn } from '../../src/services/accounts/sign-in/sign-in.ts'
import { rules } from '../../src/services/common/rules.ts'
import { getKeyActor } from '../../src/services/projects/keys.ts'
import { createProject } from '../../src/services/projects/projects.ts'
import { createRetention, flipsKeptSince } from '../../src/services/retention.ts'
import { handClock } from '../support/clock.ts'
import { dumpOf } from '../support/dump.ts'
import { type Folder, temporaryFolder } from '../support/folder.ts'
import { RECORDING } from '../support/healthchecks/answers.ts'
import { changedCopy, openFixture, SECRET, smallFixture, sqliteFixture } from '../support/healthchecks/fixture.ts'
import { importAll } from '../support/healthchecks/imported.ts'
import { aPart } from '../support/imports.ts'
import { allChecks } from '../support/lists.ts'
import { replaced } from '../support/replaced-methods.ts'
import { aCheck, anAccount, anAuthor, aProject, aSilenceOf, refusalOf, rejection } from '../support/store-builders.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

let t: TestApp
let folder: Folder
/** @param isShared true: tests can compare rows of the database */
const begin = (isShared: boolean) => async () => {
  folder = temporaryFolder()
  t = await testApp({ isShared, clock: handClock(RECORDING.now) })
}
afterEach(async () => {
  await t.close()
  folder.remove()
})

/** Checks with a long and a short log, and without one, in several projects. */
const FEW = "name IN ('Hourly sync', 'Paused', 'Twin slug A', 'web cleanup 5')"
let originals: Folder
let small: string
beforeAll(() => {
  originals = temporaryFolder()
  small = smallFixture(originals, FEW)
})
afterAll(() => originals.remove())

const openFirst = (sqlite: string) => openFixture({ sqlite }, { projects: [FIRST.code] })
const wholeFirst = () => openFirst(sqliteFixture(folder))
/** Opens the first project of the small database after these statements of SQL. */
const fixture = (...statements: readonly string[]): Promise<ImportSource> =>
  openFirst(changedCopy(folder, small, ...statements))
const importChanged = async (...statements: readonly string[]) => importAll(t.app.deps, await fixture(...statements))
const importOne = () => importChanged()
const findCheck = async (id: string) => {
  const found = await t.app.deps.store.checks.find(id)
  if (!found) throw new Error(`no check ${id}`)
  return found.check
}
const [FIRST = { code: '', keys: { api_key: '' } }] = RECORDING.projects
/** Check `Hourly sync`: simple, up, with 29 pings. */
const HOURLY = 'a14fc29e-5bcf-44e9-acbf-88913b7b6606'
const HOURLY_SQL = HOURLY.replaceAll('-', '')
const ROW = `(SELECT id FROM api_check WHERE code = '${HOURLY_SQL}')`

/** Statements that add a newer ping and flip to the check. */
const LATER = [
  `INSERT INTO api_ping (n, owner_id, created, kind, scheme, remote_addr, method, ua, body_raw, exitstatus)
   SELECT n_pings + 1, id, '2026-11-20 09:50:00', 'fail', 'http', NULL, 'POST', 'curl', x'626f6479', 3 FROM api_check WHERE code = '${HOURLY_SQL}'`,
  `UPDATE api_check SET n_pings = n_pings + 1, last_ping = '2026-11-20 09:50:00', status = 'down', alert_after = NULL WHERE code = '${HOURLY_SQL}'`,
  `INSERT INTO api_flip (owner_id, created, processed, old_status, new_status, reason)
   VALUES (${ROW}, '2026-11-20 09:50:00', '2026-11-20 09:50:01', 'up', 'down', 'fail')`,
]

const ANN: Person = {
  kind: 'person',
  accountId: crypto.randomUUID(),
  email: 'ann@example.org',
  isAdministrator: false,
  address: null,
}

describe('a plan', () => {
  beforeEach(begin(true))
  test('writes nothing', async () => {
    const before = await dumpOf(t.databaseUrl)
    await using source = await closing(fixture())
    const plan = await planImport(t.app.deps, OPERATOR, source.source)
    expect(plan.projects.map(({ kind }) => kind)).toEqual(['new'])
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('is for administrators', async () => {
    await using source = await closing(fixture())
    expect(await refusalOf(planImport(t.app.deps, ANN, source.source))).toMatchObject({ code: 'forbidden' })
    const plan = await planImport(t.app.deps, OPERATOR, source.source)
    const run = { signal: null, onWork: () => {} }
    expect(await refusalOf(applyImport(t.app.deps, ANN, source.source, plan, run))).toMatchObject({ code: 'forbidden' })
  })
})

describe('an import', () => {
  beforeEach(begin(false))
  test('lets people sign in with the passwords that they had', async () => {
    await importAll(t.app.deps, await openFixture({ sqlite: small }))
    // One of them, because Django's hash is slow by intent.
    const [{ email, password } = { email: '', password: '' }] = RECORDING.users
    const entrance = await signIn(t.app.deps, email, password, { address: null, userAgent: '' })
    expect(entrance.account.email).toBe(email)
  })

  test('fills in how the last runs went', async () => {
    await importOne()
    expect((await findCheck(HOURLY)).runs.length).toBeGreaterThan(0)
  })

  test('asks the source once for each log', async () => {
    const source = await fixture()
    const asked: string[] = []
    const { pings, flips } = source
    source.pings = (check, after) => {
      asked.push(`pings of ${check.name} after ${after}`)
      return pings.call(source, check, after)
    }
    source.flips = (check, after) => {
      asked.push(`flips of ${check.name} after ${after}`)
      return flips.call(source, check, after)
    }
    const names = source.projects.flatMap(({ checks }) => checks.map(({ name }) => name))
    source.alerts = async function* () {}
    await importAll(t.app.deps, source)
    expect(asked.toSorted()).toEqual(
      names.flatMap((name) => [`flips of ${name} after 0`, `pings of ${name} after 0`]).toSorted(),
    )
  })

  test('leaves an account of the same email as it is', async () => {
    const account = anAccount({ email: 'alice@example.org', tz: 'Asia/Tokyo' })
    await t.app.deps.store.by(anAuthor()).accounts.create(account)
    const { accounts } = await importOne()
    expect(accounts).toMatchObject({ here: ['alice@example.org'], administrators: [] })
    expect(await t.app.deps.store.accounts.find('alice@example.org')).toEqual(account)
    expect((await t.app.deps.store.team.listMembers(FIRST.code)).map(({ email }) => email)).toContain(
      'alice@example.org',
    )
  })

  test('owes no alert, makes no flip and sends nothing, neither then nor when the loops look', async () => {
    await importOne()
    expect(await t.app.deps.store.deliveries.nextAt()).toBeNull()
    expect([t.sent, t.mails]).toEqual([[], []])
  })

  test('has one row for each project and account in the audit log', async () => {
    await importAll(t.app.deps, await openFixture({ sqlite: small }))
    const rows = (await t.app.deps.store.audit.list(100)).filter(({ author }) => author.kind === 'command')
    const kinds = rows.map(({ subject }) => subject.kind)
    expect(kinds.filter((kind) => kind === 'project').length).toBe(5)
    expect(kinds.filter((kind) => kind === 'account').length).toBe(3)
  })

  /** Stops an import after its first transaction. */
  const stopImport = async () => {
    const stop = new AbortController()
    await using opened = await closing(wholeFirst())
    const plan = await planImport(t.app.deps, OPERATOR, opened.source)
    const onWork = ({ done }: { readonly done?: number }) => done !== undefined && done > 0 && stop.abort()
    const run = { signal: stop.signal, onWork: onWork as () => void }
    return await refusalOf(applyImport(t.app.deps, OPERATOR, opened.source, plan, run))
  }
  const importOther = async () => {
    const options = { projects: ['Home 🏠'] }
    return importAll(t.app.deps, await openFixture({ sqlite: small }, options))
  }

  test('that is stopped by a signal leaves whole projects only, and goes on where it was', async () => {
    expect(await stopImport()).toMatchObject({ code: 'import-stopped' })
    expect(await t.app.deps.store.projects.list()).toHaveLength(1)
    expect((await t.app.deps.store.imports.listStagedLogs()).length).toBeGreaterThan(0)
    const [project] = (await importAll(t.app.deps, await wholeFirst())).projects
    expect(project?.history?.pings).toBeLessThan(452)
    expect(await t.app.deps.store.imports.listStagedLogs()).toEqual([])
    expect(await t.app.deps.store.pings.list(HOURLY, 1000)).toHaveLength(29)
  })

  test('goes on with all flips when the source has removed old ones meanwhile', async () => {
    await stopImport()
    const oldest = `DELETE FROM api_flip WHERE id = (SELECT min(id) FROM api_flip WHERE owner_id = ${ROW})`
    await importChanged(oldest, ...LATER)
    expect(await newestFlip(HOURLY)).toMatchObject({ newStatus: 'down', reason: 'fail' })
    expect(await t.app.deps.store.pings.list(HOURLY, 1000)).toHaveLength(30)
  })

  test('drops what an import of other projects has left, once that is at rest', async () => {
    await stopImport()
    const left = (await t.app.deps.store.imports.listStagedLogs()).length
    expect(left).toBeGreaterThan(0)
    await importOther()
    expect((await t.app.deps.store.imports.listStagedLogs()).length).toBe(left)
    t.clock.advance({ minutes: 11 })
    await importOther()
    expect(await t.app.deps.store.imports.listStagedLogs()).toEqual([])
  })

  /** Does the work of an import up to the last transaction of a project. */
  const stopBeforeShowing = async () => {
    const { deps } = t.app
    const by: typeof deps.store.by = (author) =>
      replaced(deps.store.by(author), { imports: { importProject: () => Promise.reject(new Error('killed')) } })
    await using opened = await closing(fixture())
    const plan = await planImport(deps, OPERATOR, opened.source)
    const run = { signal: null, onWork: () => {} }
    const importing = applyImport({ ...deps, store: { ...deps.store, by } }, OPERATOR, opened.source, plan, run)
    expect(String(await rejection(importing))).toContain('killed')
  }
  const stagedProjects = () => t.app.deps.store.imports.listStagedProjects()

  test('that ends before it shows a project leaves nothing that is found, and the next one brings all', async () => {
    await stopBeforeShowing()
    expect(await stagedProjects()).toMatchObject([{ id: FIRST.code }])
    expect(await t.app.deps.store.projects.list()).toHaveLength(1)
    expect(await t.app.deps.store.checks.find(HOURLY)).toBeNull()
    expect((await t.call('POST', `/ping/${HOURLY}`)).status).toBe(404)
    const [project] = (await importOne()).projects
    expect(project?.history).toMatchObject({ pings: 0 })
    expect(await stagedProjects()).toEqual([])
    expect(await t.app.deps.store.pings.list(HOURLY, 1000)).toHaveLength(29)
    expect((await t.call('POST', `/ping/${HOURLY}`)).status).toBe(200)
  })

  test('drops a project that an import of others has staged and left, once that is at rest', async () => {
    await stopBeforeShowing()
    await importOther()
    expect(await stagedProjects()).toHaveLength(1)
    t.clock.advance({ minutes: 11 })
    await importOther()
    expect(await stagedProjects()).toEqual([])
  })

  test('leaves a staged project to retention after a day', async () => {
    await stopBeforeShowing()
    const retain = createRetention({ ...t.app.deps, log: () => {} })
    const retainAll = async () => {
      while ((await retain()) !== null);
    }
    t.clock.advance({ hours: 23 })
    await retainAll()
    expect(await stagedProjects()).toHaveLength(1)
    t.clock.advance({ hours: 2 })
    await retainAll()
    expect([await stagedProjects(), await t.app.deps.store.imports.listStagedLogs()]).toEqual([[], []])
    t.clock.advance({ minutes: 1 })
    await retainAll()
    expect(await t.app.deps.store.imports.findExtents([HOURLY])).toEqual([
      { stored: null, staged: null, isLeaving: false },
    ])
  })

  test('leaves old logs of a project of which another import has staged something a moment ago', async () => {
    const { store } = t.app.deps
    const project = aProject()
    await store.imports.stageLogs([aPart(aCheck(project), project, [1])], t.clock.now())
    t.clock.advance({ minutes: 11 })
    await store.imports.stageLogs([aPart(aCheck(project), project, [1])], t.clock.now())
    await importOther()
    expect(await store.imports.listStagedLogs()).toHaveLength(2)
  })
})

describe('the same import again', () => {
  beforeEach(begin(true))
  test('changes nothing, not a single row', async () => {
    await importAll(t.app.deps, await wholeFirst())
    const before = await dumpOf(t.databaseUrl)
    const { projects } = await importAll(t.app.deps, await wholeFirst())
    expect(projects).toMatchObject([{ isNew: false, checks: 0, grownChecks: 0 }])
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('adds newer pings and flips, and the status that they have left', async () => {
    await importOne()
    const { projects } = await importChanged(...LATER)
    expect(projects.map(({ grownChecks, history }) => [grownChecks, history?.pings, history?.flips])).toContainEqual([
      1, 1, 1,
    ])
    const check = await findCheck(HOURLY)
    expect([check.status, check.nPings, check.lastPingAt?.toString()]).toEqual(['down', 30, '2026-11-20T09:50:00Z'])
    const [newest] = await t.app.deps.store.pings.list(HOURLY, 1)
    expect(newest).toMatchObject({ n: 30, kind: 'fail', exitStatus: 3 })
    expect(await newestFlip(HOURLY)).toMatchObject({ oldStatus: 'up', newStatus: 'down', reason: 'fail' })
    expect(await t.app.deps.store.deliveries.nextAt()).toBeNull()
    const after = await dumpOf(t.databaseUrl)
    await importChanged(...LATER)
    expect(await dumpOf(t.databaseUrl)).toEqual(after)
  })

  test('adds hundreds of new checks, and again changes nothing', async () => {
    await importOne()
    const here = (await allChecks(t.app.deps.store, FIRST.code)).length
    const added = 230
    const more = [
      `CREATE TEMP TABLE more AS
       WITH RECURSIVE numbers (v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM numbers WHERE v < ${added})
       SELECT api_check.* FROM api_check, numbers WHERE code = '${HOURLY_SQL}'`,
      `UPDATE more SET id = 100000 + rowid, code = printf('%032x', rowid), badge_key = printf('%032x', rowid), slug = 'more-' || rowid,
         n_pings = 0, status = 'new', last_ping = NULL, last_start = NULL, last_duration = NULL, alert_after = NULL`,
      'INSERT INTO api_check SELECT * FROM more',
      'DROP TABLE more',
    ]
    const { projects } = await importChanged(...more)
    expect(projects).toMatchObject([{ isNew: false, checks: added }])
    expect(await allChecks(t.app.deps.store, FIRST.code)).toHaveLength(here + added)
    const before = await dumpOf(t.databaseUrl)
    await importChanged(...more)
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('takes back what time alone has done here meanwhile', async () => {
    await importOne()
    t.clock.advance({ hours: 3 })
    await t.app.deps.store.flips.judgeOverdue(t.clock.now(), rules(t.app.deps), 500, 'wait')
    expect(await newestFlip(HOURLY)).toMatchObject({ newStatus: 'down', reason: 'timeout' })
    await importChanged(...LATER)
    expect(await newestFlip(HOURLY)).toMatchObject({ newStatus: 'down', reason: 'fail' })
    expect((await findCheck(HOURLY)).nPings).toBe(30)
  })

  /** Imports Hourly sync, and waits until it is down without a ping. */
  const importThenWait = async () => {
    await importOne()
    t.clock.advance({ hours: 3 })
    await t.app.deps.store.flips.judgeOverdue(t.clock.now(), rules(t.app.deps), 500, 'wait')
    const [incident] = await t.app.deps.store.incidents.list(HOURLY, null, 1)
    if (!incident) throw new Error('it has no incident')
    return incident
  }

  test.each(['note', 'acknowledgement'])('leaves alone and names what got a %s here', async (left) => {
    const incident = await importThenWait()
    const { incidents } = t.app.deps.store.by(anAuthor())
    if (left === 'note') await incidents.note(incident, 'disk is full', rules(t.app.deps))
    else await incidents.acknowledge(incident, { note: '', until: null, takesOver: false }, rules(t.app.deps))
    const before = await dumpOf(t.databaseUrl)
    const { notes } = await importChanged(...LATER)
    expect(notes.filter(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')).toEqual([
      {
        ...{ kind: 'left-out', subject: 'check', name: 'Hourly sync', project: 'alice@example.org' },
        reason: 'Somebody is on its incident here, or has added a note.',
        advice: 'It is unchanged here.',
      },
    ])
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('takes back what a silence has held of what time alone has done', async () => {
    await importOne()
    const { projectId, nEvents } = await findCheck(HOURLY)
    const now = t.clock.now()
    const times = { startsAt: now, endsAt: now.add({ hours: 9 }), createdAt: now }
    const silence = aSilenceOf({ id: projectId }, times)
    await t.app.deps.store.by(anAuthor()).silences.create(silence, now)
    t.clock.advance({ hours: 3 })
    await t.app.deps.store.flips.judgeOverdue(t.clock.now(), rules(t.app.deps), 500, 'wait')
    expect((await findCheck(HOURLY)).nEvents).toBe(nEvents + 2)
    await importChanged(...LATER)
    expect((await findCheck(HOURLY)).nEvents).toBe(nEvents + 1)
    const [incident] = await t.app.deps.store.incidents.list(HOURLY, null, 1)
    expect(incident).toMatchObject({ n: nEvents + 1, told: 'down', held: null, nextLookAt: null })
  })

  /** Makes the flips so old that retention removes all of them. */
  const LONG_UP = `UPDATE api_flip SET created = datetime(created, '-200 days') WHERE owner_id = ${ROW}`
  const prune = async () => {
    while ((await t.app.deps.store.retention.prune(flipsKeptSince(t.clock.now()), 1_000)).more);
  }

  test('changes nothing after retention has removed old flips and pings', async () => {
    await importChanged(LONG_UP)
    await prune()
    expect((await t.app.deps.store.flips.list(HOURLY, {}, null)).items).toEqual([])
    const before = await dumpOf(t.databaseUrl)
    const { projects } = await importChanged(LONG_UP)
    expect(projects).toMatchObject([{ grownChecks: 0 }])
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('adds newer flips after retention has removed the old ones, and takes back what time alone has done', async () => {
    await importChanged(LONG_UP)
    const { nEvents } = await findCheck(HOURLY)
    await prune()
    t.clock.advance({ hours: 3 })
    await t.app.deps.store.flips.judgeOverdue(t.clock.now(), rules(t.app.deps), 500, 'wait')
    expect(await newestFlip(HOURLY)).toMatchObject({ n: nEvents + 1, reason: 'timeout' })
    await importChanged(LONG_UP, ...LATER)
    const { items } = await t.app.deps.store.flips.list(HOURLY, {}, null)
    expect(items).toMatchObject([{ n: nEvents + 1, newStatus: 'down', reason: 'fail' }])
    expect((await findCheck(HOURLY)).nPings).toBe(30)
  })

  test('leaves alone and names what was cleared here', async () => {
    await importOne()
    await t.app.deps.store.by(anAuthor()).checks.clear(HOURLY)
    await prune()
    const before = await dumpOf(t.databaseUrl)
    const { notes } = await importChanged(...LATER)
    expect(notes.find(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')?.reason).toBe(
      'Its log was cleared here since then.',
    )
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('leaves alone and names what was pinged here', async () => {
    await importOne()
    await t.call('GET', `/ping/${HOURLY}`)
    const before = await dumpOf(t.databaseUrl)
    const { notes } = await importChanged(...LATER)
    expect(notes.filter(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')).toEqual([
      {
        ...{ kind: 'left-out', subject: 'check', name: 'Hourly sync', project: 'alice@example.org' },
        reason: 'Its log here differs from the source.',
        advice: 'It is unchanged here.',
      },
    ])
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('names a check of which any setting was changed here, and leaves it', async () => {
    await importOne()
    const { store } = t.app.deps
    await store
      .by(anAuthor())
      .checks.change(HOURLY, (check) => ({ check: { ...check, failureKw: 'no' } }), rules(t.app.deps))
    const { notes } = await importOne()
    expect(notes.find(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')?.reason).toBe(
      'Its settings here differ from the source.',
    )
    expect((await findCheck(HOURLY)).failureKw).toBe('no')
  })

  test('adds a check that is new in the source', async () => {
    await importChanged(
      `DELETE FROM api_flip WHERE owner_id = ${ROW}`,
      `DELETE FROM api_ping WHERE owner_id = ${ROW}`,
      `DELETE FROM api_notification WHERE owner_id = ${ROW}`,
      `DELETE FROM api_channel_checks WHERE check_id = ${ROW}`,
      `DELETE FROM api_check WHERE code = '${HOURLY_SQL}'`,
    )
    expect(await t.app.deps.store.checks.find(HOURLY)).toBeNull()
    const { projects } = await importOne()
    expect(projects.find(({ id }) => id === FIRST.code)).toMatchObject({ isNew: false, checks: 1 })
    expect((await findCheck(HOURLY)).nPings).toBe(29)
    expect(await t.app.deps.store.pings.list(HOURLY, 1000)).toHaveLength(29)
  })

  test('says what was added to a check that is pinged during the import', async () => {
    await importOne()
    t.clock.advance({ seconds: 1 })
    const source = await fixture(...LATER.slice(0, 2), ...LATER)
    const pings = source.pings.bind(source)
    source.pings = async function* (check, after) {
      for await (const page of pings(check, after)) for (const ping of page) yield [ping]
      if (check.id === HOURLY) await t.call('GET', `/ping/${HOURLY}`)
    }
    const { projects, notes } = await importAll(t.app.deps, source)
    expect(projects).toMatchObject([{ grownChecks: 1, history: { pings: 1, flips: 0 } }])
    expect(notes.find(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')?.reason).toBe(
      'It was pinged, changed or deleted here during the import. Newer pings that were added before that: 1.',
    )
    const [row] = await t.app.deps.store.audit.list(1)
    expect(row).toMatchObject({ subject: { kind: 'project', id: FIRST.code }, after: { pings: 1, flips: 0 } })
    const [ours, theirs] = await t.app.deps.store.pings.list(HOURLY, 2)
    expect([ours, theirs]).toMatchObject([
      { n: 31, kind: 'success' },
      { n: 30, kind: 'fail' },
    ])
  })

  test('leaves out and names a check that was deleted here', async () => {
    await importOne()
    await t.app.deps.store.by(anAuthor()).checks.delete(HOURLY)
    await prune()
    const before = await dumpOf(t.databaseUrl)
    const { projects, notes } = await importOne()
    expect(projects).toMatchObject([{ isNew: false, checks: 0 }])
    expect(notes.find(({ kind, name }) => kind === 'left-out' && name === 'Hourly sync')?.reason).toBe(
      'It was deleted here.',
    )
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
  })

  test('leaves out a check that was moved to another project here, and deleted there', async () => {
    await importOne()
    const by = () => t.app.deps.store.by(anAuthor())
    const other = aProject()
    await by().projects.create(other, [])
    const [moved] = await t.app.deps.store.checks.findMany([HOURLY])
    if (!moved) throw new Error('the check was not imported')
    await by().checks.transfer(HOURLY, { from: moved.check.projectId, to: other.id }, t.app.deps.now())
    await by().checks.delete(HOURLY)
    const { projects } = await importOne()
    expect(projects).toMatchObject([{ isNew: false, checks: 0 }])
    expect(await t.app.deps.store.checks.findMany([HOURLY])).toEqual([])
  })

  test('finds its place when the source has removed old flips', async () => {
    await importOne()
    const flips = await t.app.deps.store.flips.list(HOURLY, {}, null)
    const oldest = `DELETE FROM api_flip WHERE id = (SELECT min(id) FROM api_flip WHERE owner_id = ${ROW})`
    await importChanged(oldest, ...LATER)
    const now = await t.app.deps.store.flips.list(HOURLY, {}, null)
    expect(now.items).toHaveLength(flips.items.length + 1)
    expect(now.items[0]).toMatchObject({ newStatus: 'down', reason: 'fail' })
  })
})

describe('what goes on working', () => {
  beforeEach(begin(false))
  const keyOf = (index: number) => RECORDING.projects[index]?.keys.api_key ?? ''

  test('is a key that was hashed with the secret of the source, which is hashed with ours at its first use', async () => {
    await importOne()
    const actor = await getKeyActor(t.app.deps, keyOf(0), null)
    expect(actor.project.id).toBe(FIRST.code)
    await t.app.deps.background.drain()
    const own = hashApiKey(keyOf(0), t.app.deps.site.secret)
    expect(actor.by.lookup).toBe(own)
    expect(await t.app.deps.store.keys.find(own)).not.toBeNull()
    expect(await t.app.deps.store.keys.find(hashApiKey(keyOf(0), SECRET))).toBeNull()
    expect((await getKeyActor(t.app.deps, keyOf(0), null)).project.id).toBe(FIRST.code)
  })

  test('is no key without the secret, and the report says which', async () => {
    const { notes } = await importAll(t.app.deps, await openFixture({ sqlite: small }, { secret: null }))
    expect(notes.filter(({ subject }) => subject === 'API key').length).toBeGreaterThan(0)
    expect(await refusalOf(getKeyActor(t.app.deps, keyOf(0), null))).toMatchObject({ code: 'unauthorized' })
    // Keys of older servers are stored unchanged.
    expect((await getKeyActor(t.app.deps, keyOf(1), null)).project.id).toBe(RECORDING.projects[1]?.code ?? '')
  })

  test('a text of another form is looked up once, whatever secrets there are', async () => {
    await importOne()
    let [lookups, lists] = [0, 0]
    const store = replaced(t.app.deps.store, {
      keys: {
        find: (lookup: string) => {
          lookups++
          return t.app.deps.store.keys.find(lookup)
        },
      },
      imports: {
        listSecrets: () => {
          lists++
          return t.app.deps.store.imports.listSecrets()
        },
      },
    })
    const tried = async (key: string) => {
      lookups = 0
      lists = 0
      await refusalOf(getKeyActor({ ...t.app.deps, store }, key, null))
      return [lookups, lists]
    }
    expect(await tried('x'.repeat(32))).toEqual([1, 0])
    expect(await tried(`hcx_${'x'.repeat(28)}`)).toEqual([1, 0])
    // Searched by our hash, by theirs, and again by ours, because another request may have stored it in the meantime.
    expect(await tried(`hcw_${'x'.repeat(28)}`)).toEqual([3, 1])
  })
})

describe('what is here already, elsewhere, is refused with a sentence, and nothing is written', () => {
  beforeEach(begin(true))
  const refusedWith = async (source: Promise<ImportSource>) => {
    const before = await dumpOf(t.databaseUrl)
    await using opened = await closing(source)
    const refusal = await refusalOf(planImport(t.app.deps, OPERATOR, opened.source))
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
    return [refusal.code, refusal.data.problems]
  }

  test('the name of a project', async () => {
    await createProject(t.app.deps, 'alice@example.org')
    expect(await refusedWith(fixture())).toEqual([
      'import-clash',
      ['project "alice@example.org": another project here is named "alice@example.org": rename one of them'],
    ])
  })

  test('keys and checks of a project that is here under another id', async () => {
    await importOne()
    const id = crypto.randomUUID()
    const other = `UPDATE accounts_project SET code = '${id.replaceAll('-', '')}', name = 'Other'`
    const sqlite = changedCopy(folder, small, `${other} WHERE code = '${FIRST.code.replaceAll('-', '')}'`)
    const [code, problems] = await refusedWith(openFixture({ sqlite }, { projects: [id] }))
    expect(code).toBe('import-clash')
    const text = (problems as readonly string[]).join('\n')
    for (const words of [
      'badge keys',
      'is a key of project "alice@example.org"',
      'has the UUID of a check',
      'integrations',
    ]) {
      expect(text).toContain(words)
    }
    expect(text).not.toContain(HOURLY)
  })
})

describe('what a source has twice is refused with a sentence that names both, and nothing is written', () => {
  beforeEach(begin(true))
  /** Returns the problems of two projects, named A and B, after a change. */
  const problemsOf = async (change: (a: ImportedProject, b: ImportedProject) => ImportedProject) => {
    const before = await dumpOf(t.databaseUrl)
    await using whole = await closing(openFixture({ sqlite: small }, { projects: null }))
    const [a, b] = [...whole.source.projects].sort((one, two) => two.checks.length - one.checks.length)
    if (!a || !b) throw new Error('the fixture has too few projects')
    const [first, second] = [
      { ...a, name: 'A' },
      { ...b, name: 'B' },
    ]
    const source = { ...whole.source, projects: [first, change(first, second)] }
    const refusal = await refusalOf(planImport(t.app.deps, OPERATOR, source))
    expect(await dumpOf(t.databaseUrl)).toEqual(before)
    expect(refusal.code).toBe('import-clash')
    return refusal.data.problems
  }
  const ADVICE = 'change or remove one of them in the source'

  test('a badge key of two projects', async () => {
    expect(await problemsOf((a, b) => ({ ...b, badgeKey: a.badgeKey }))).toEqual([
      `project "A" and project "B" have the same badge key: ${ADVICE}`,
    ])
  })

  test('a key of two projects', async () => {
    const key = { kind: 'ping', name: '', createdAt: t.app.deps.now(), text: 'abcdefghijklmnopqrstuv' } as const
    const problems = await problemsOf((a, b) => {
      Object.assign(a, { keys: [key] })
      return { ...b, keys: [key] }
    })
    expect(problems).toHaveLength(1)
    expect(problems?.[0]).toMatch(/^project "A" and project "B" have the same key "abcd\w*…"/)
    expect(problems?.[0]).not.toContain(key.text)
  })

  test('the UUID of checks of two projects, or of one', async () => {
    const named = (check: ImportedCheck | undefined, name: string) => ({ ...(check as ImportedCheck), name })
    const problems = await problemsOf((a, b) => ({
      ...b,
      checks: [named(b.checks[0], 'one'), named(b.checks[0], 'two'), named(a.checks[0], 'three')],
    }))
    expect(problems?.[0]).toBe(
      `check "one" of project "B" and check "two" of project "B" have the same UUID: ${ADVICE}`,
    )
    expect(problems?.[1]).toMatch(/^check ".+" of project "A" and check "three" of project "B" have the same UUID/)
    expect(problems).toHaveLength(2)
  })
})

async function newestFlip(id: string): Promise<Flip | undefined> {
  return (await t.app.deps.store.flips.list(id, {}, null)).items[0]
}

async function closing(opening: Promise<ImportSource>) {
  const source = await opening
  return { source, [Symbol.asyncDispose]: () => source.close() }
}
