/** Imported projects: staged parts, and the transaction that creates the project. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Check } from '../../../src/domain/check/check.ts'
import { storedKey } from '../../../src/domain/project.ts'
import type { LogExtent, ProjectImport } from '../../../src/store/store.ts'
import { anImport, aPart, aPing, importProject, numbers, stage, stageProject } from '../../support/imports.ts'
import { allChecks, allFlips } from '../../support/lists.ts'
import { found, readWords } from '../../support/search.ts'
import {
  aChannel,
  aCheck,
  after,
  anAccount,
  anAuthor,
  aProject,
  aSilenceOf,
  bytes,
  NOON,
  type OpenStore,
  only,
  refusalOf,
  rejection,
  SECRET,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const LONG_AGO = after(-1e9)

export function importsContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const numbersIn = async ({ id }: Pick<Check, 'id'>) => {
    const [listed, read, flips] = await Promise.all([
      g.store.pings.list(id, 1_000),
      g.store.pings.readLog(id, null, 1_000, 300),
      allFlips(g.store, id),
    ])
    expect(read.map(({ n }) => n)).toEqual(listed.map(({ n }) => n))
    return { pings: listed.map(({ n }) => n), flips: flips.map(({ n }) => n) }
  }
  const importing = (order: ProjectImport) => importProject(g.store, order, g.rules)
  /** Stages a project with checks, and as many pings and flips for each. */
  const staged = async (extent: LogExtent, count = 1, over: Partial<ProjectImport> = {}) => {
    const project = over.project ?? aProject()
    const checks = numbers(1, count).map((number) =>
      aCheck(project, { createdAt: after(number), nPings: extent.n, nEvents: extent.eventN, status: 'up' }),
    )
    for (const check of checks) await stage(g.store, check, project, extent)
    const logs = new Map(checks.map(({ id }) => [id, extent]))
    const order = anImport({ ...over, project, logs, checks: checks.map((check) => ({ check, channelIds: [] })) })
    return { project, checks, check: checks[0] ?? aCheck(project), order }
  }
  /** Reads all data that could reveal a staged project. */
  const seen = async () => ({
    projects: await g.store.projects.list(),
    accounts: await g.store.accounts.list(),
    checks: await allChecks(g.store, g.project.id),
    audit: await g.store.audit.list(1_000),
    secrets: await g.store.imports.listSecrets(),
    staged: await g.store.imports.listStagedLogs(),
    outbox: await g.store.server.readOutbox(),
  })

  describe('a log that is staged', () => {
    test('is found by nothing that looks for checks, pings, flips or words, and pruning leaves it', async () => {
      const { check, project } = await staged({ n: 3, eventN: 2 })
      expect(await g.store.checks.find(check.id)).toBeNull()
      expect(await numbersIn(check)).toEqual({ pings: [], flips: [] })
      expect([await g.store.pings.find(check.id, 2), await g.store.pings.findStart(check.id, 2, 10)]).toEqual([
        null,
        null,
      ])
      expect(await g.ping(check)).toBe('not-found')
      expect((await g.store.search.readProgress()).unreadSince).toBeNull()
      await readWords(g.store)
      expect(await g.store.projects.list()).toHaveLength(1)
      expect(await found(g.store, check, 'backup')).toEqual([])
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      expect(await g.store.imports.listStagedLogs()).toEqual([
        { checkId: check.id, projectId: project.id, n: 3, eventN: 2, entries: 3, bytes: 3 * 48, stagedAt: NOON },
      ])
    })

    test('is told with what is here of the check, in the order asked for', async () => {
      const { check, project } = await staged({ n: 3, eventN: 2 })
      const here = await g.check()
      await g.ping(here)
      expect(await g.store.imports.findExtents([here.id, check.id, crypto.randomUUID()])).toEqual([
        { stored: { projectId: g.project.id, n: 1, eventN: 1 }, staged: null, isLeaving: false },
        { stored: null, staged: { projectId: project.id, n: 3, eventN: 2 }, isLeaving: false },
        { stored: null, staged: null, isLeaving: false },
      ])
    })

    test('goes on only where it has ended, and nothing is written otherwise', async () => {
      const { check, project } = await staged({ n: 3, eventN: 0 })
      const here = await g.check()
      const before = await seen()
      const other = aCheck(project)
      for (const part of [
        aPart(check, project, [3], []),
        aPart(check, project, [5], [], { n: 4, eventN: 0 }),
        aPart(check, project, [4], [], { n: 3, eventN: 1 }),
        aPart(check, aProject(), [4], [], { n: 3, eventN: 0 }),
        aPart(here, g.project, [1]),
      ]) {
        const parts = [aPart(other, project, [1]), part]
        expect((await refusalOf(g.store.imports.stageLogs(parts, NOON))).code).toBe('import-interrupted')
      }
      expect(await seen()).toEqual(before)
    })

    test('that is dropped is removed by pruning, and can be staged again afterwards', async () => {
      const { check, project, order } = await staged({ n: 5, eventN: 2 })
      await g.store.imports.dropStagedLogs([check.id, crypto.randomUUID()])
      expect(await g.store.imports.listStagedLogs()).toEqual([])
      expect(only(await g.store.imports.findExtents([check.id])).isLeaving).toBe(true)
      expect((await refusalOf(stage(g.store, check, project, { n: 5, eventN: 2 }))).code).toBe('import-interrupted')
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 5, events: 2 })
      await stage(g.store, check, project, { n: 5, eventN: 2 })
      await importing(order)
      expect(await numbersIn(check)).toEqual({ pings: [5, 4, 3, 2, 1], flips: [2, 1] })
    })

    test('that has not grown for long is dropped, and a younger one stays', async () => {
      const [project, other] = [aProject(), aProject()]
      const [old, young] = [aCheck(project), aCheck(other)]
      await g.store.imports.stageLogs([aPart(old, project, [1])], after(-100))
      await g.store.imports.stageLogs([aPart(young, other, [1])], after(-10))
      await g.store.imports.stageLogs([aPart(old, project, [2], [], { n: 1, eventN: 0 })], after(-50))
      expect(await g.store.imports.dropStaleLogs(after(-60), 10)).toBe(0)
      expect(await g.store.imports.dropStaleLogs(after(-20), 10)).toBe(1)
      expect((await g.store.imports.listStagedLogs()).map(({ checkId }) => checkId)).toEqual([young.id])
    })

    test('stays while another log of its project grows', async () => {
      const project = aProject()
      const [old, young] = [aCheck(project), aCheck(project)]
      await g.store.imports.stageLogs([aPart(old, project, [1])], after(-100))
      await g.store.imports.stageLogs([aPart(young, project, [1])], after(-10))
      expect(await g.store.imports.dropStaleLogs(after(-60), 10)).toBe(0)
      expect(await g.store.imports.dropStaleLogs(after(-5), 10)).toBe(2)
    })

    test('tells its newest flip', async () => {
      const { check } = await staged({ n: 3, eventN: 2 })
      const here = await g.check()
      await g.ping(here)
      const [newest, ...others] = await g.store.imports.findStagedFlips([check.id, here.id, crypto.randomUUID()])
      expect(newest).toMatchObject({ checkId: check.id, n: 2 })
      expect(others).toEqual([null, null])
    })
  })

  describe('a project that is staged', () => {
    const channel = aChannel(aProject())
    const stagedWhole = async (count = 2) => {
      const project = aProject({ name: 'Coming', slug: 'coming' })
      const channels = [{ ...channel, id: crypto.randomUUID(), projectId: project.id }]
      const made = await staged({ n: 3, eventN: 2 }, count, { project, channels })
      const checks = made.order.checks.map(({ check }) => ({
        check: { ...check, status: 'down' as const },
        channelIds: channels.map(({ id }) => id),
      }))
      const order = { ...made.order, checks }
      return { ...made, order, shown: await stageProject(g.store, order, { alertAfter: () => LONG_AGO }) }
    }

    test('is found by nothing, and nothing judges or prunes it', async () => {
      const person = anAccount({ isAdministrator: true })
      await g.store.by(anAuthor()).accounts.create(person)
      const before = await seen()
      const { project, check } = await stagedWhole()
      expect(await g.store.projects.find(project.id)).toBeNull()
      for (const named of [project.id, project.name, ''])
        expect(await g.store.projects.findByIdOrName(named)).toEqual([])
      for (const slug of [project.slug, `staged ${project.id}`]) {
        expect(await g.store.projects.findOfPerson(slug, person.id)).toBeNull()
      }
      for (const all of [true, false]) {
        const lists = await Promise.all([
          g.store.projects.listOfPerson(person.id, all),
          g.store.projects.listPlacesOfPerson(person.id, all),
          g.store.projects.listBriefs(person.id, all),
        ])
        expect(JSON.stringify(lists)).not.toContain(project.id)
      }
      expect(await g.store.checks.find(check.id)).toBeNull()
      expect(await g.ping(check)).toBe('not-found')
      expect(await numbersIn(check)).toEqual({ pings: [], flips: [] })
      expect([await g.store.pings.find(check.id, 2), await g.store.pings.findStart(check.id, 2, 10)]).toEqual([
        null,
        null,
      ])
      expect(await g.store.flips.nextLookAt()).toBeNull()
      expect(await g.judgeOverdue()).toMatchObject({ flips: [] })
      await readWords(g.store)
      expect(await found(g.store, check, 'backup')).toEqual([])
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      expect(await g.store.by(anAuthor()).projects.delete(project.id, 0)).toBe(false)
      expect({ ...(await seen()), staged: before.staged }).toEqual(before)
      expect(await g.store.imports.listStagedProjects()).toEqual([{ id: project.id, stagedAt: NOON }])
    })

    test('is shown at once, with the words that its pings brought', async () => {
      const { project, checks, check, order, shown } = await stagedWhole()
      await readWords(g.store)
      await g.store.by(anAuthor()).imports.importProject(order, shown)
      expect(await g.store.projects.find(project.id)).toEqual(project)
      expect((await allChecks(g.store, project.id)).map(({ check }) => check.id)).toEqual(checks.map(({ id }) => id))
      expect(await numbersIn(check)).toEqual({ pings: [3, 2, 1], flips: [2, 1] })
      await readWords(g.store)
      expect(await found(g.store, check, 'backup')).toHaveLength(3)
      expect(await g.ping(check)).toBe('ok')
      expect(await g.store.imports.listStagedProjects()).toEqual([])
    })

    test('leaves its name and its slug free until then', async () => {
      const { project, order, shown } = await stagedWhole()
      const namesake = aProject({ name: project.name, slug: 'other' })
      await g.store.by(anAuthor()).projects.create(namesake, [])
      const refusal = await refusalOf(g.store.by(anAuthor()).imports.importProject(order, shown))
      expect(refusal.code).toBe('import-clash')
      await g.store.by(anAuthor()).projects.delete(namesake.id, 0)
      await g.store.by(anAuthor()).imports.importProject(order, shown)
      expect((await g.store.projects.find(project.id))?.slug).toBe('coming')
    })

    test('that lacks a check, or was staged by another import, is not shown', async () => {
      const { order, shown } = await stagedWhole()
      const more = { ...order, checks: [...order.checks, { check: aCheck(order.project), channelIds: [] }] }
      const before = await seen()
      for (const attempt of [
        () => g.store.by(anAuthor()).imports.importProject(more, shown),
        () => g.store.by(anAuthor()).imports.importProject(order, crypto.randomUUID()),
        () => stageProject(g.store, order, g.rules),
      ]) {
        expect((await refusalOf(attempt())).code).toBe('import-interrupted')
      }
      expect(await seen()).toEqual(before)
    })

    test('takes no log of a check that it has', async () => {
      const { check, project } = await stagedWhole()
      const part = aPart(check, project, [1])
      expect((await refusalOf(g.store.imports.stageLogs([part], NOON))).code).toBe('import-interrupted')
    })

    test('that is dropped can be staged again with the same logs', async () => {
      const before = await seen()
      const { project, check, order } = await stagedWhole(120)
      for (const other of [
        { id: g.project.id, stagedAt: NOON },
        { id: project.id, stagedAt: after(-1) },
      ]) {
        expect(await g.store.imports.dropStagedProject(other)).toBe(false)
      }
      expect(await g.store.imports.listStagedProjects()).toHaveLength(1)
      const steps: boolean[] = []
      do steps.push(await g.store.imports.dropStagedProject({ id: project.id, stagedAt: NOON }))
      while (steps.at(-1))
      expect(steps.length).toBeGreaterThan(2)
      expect(await g.store.imports.listStagedProjects()).toEqual([])
      expect({ ...(await seen()), staged: before.staged }).toEqual(before)
      await importing(order)
      expect(await numbersIn(check)).toEqual({ pings: [3, 2, 1], flips: [2, 1] })
    })

    test('keeps its logs from being given up, and one that is too long is shortened once it is shown', async () => {
      const project = aProject({ pingLogLimit: 2 })
      const { check, order } = await staged({ n: 5, eventN: 0 }, 1, { project })
      const importId = await stageProject(g.store, order, g.rules)
      expect(await g.store.imports.dropStaleLogs(after(1e9), 10)).toBe(0)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toEqual({ pings: 0, bodies: 0, events: 0, more: false })
      await g.store.by(anAuthor()).imports.importProject(order, importId)
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 3 })
      expect((await numbersIn(check)).pings).toEqual([5, 4])
    })
  })

  describe('a project that is imported', () => {
    test('is there with its people, keys, integrations, silences, checks and their logs', async () => {
      const known = anAccount({ email: 'known@example.org', tz: 'Europe/Riga' })
      await g.store.by(anAuthor()).accounts.create(known)
      const project = aProject({
        name: 'Moved in',
        slug: 'moved-in',
        isSearched: false,
        pingLogLimit: 7,
        tz: 'Europe/Riga',
      })
      const channel = aChannel(project, { lastError: 'gone' })
      const silence = aSilenceOf(project, {
        endsAt: null,
        window: { schedule: 'Sat 22:00', tz: 'Europe/Riga', seconds: 7_200 },
      })
      const fresh = anAccount({ email: 'new@example.org', lastSeenAt: after(-5), isAdministrator: true })
      const key = storedKey(project, 'read-only', 'odr_x', SECRET, NOON, 'Grafana')
      const { check, order } = await staged({ n: 4, eventN: 3 }, 1, {
        project,
        accounts: [{ ...known, id: crypto.randomUUID(), tz: 'UTC' }, fresh],
        members: [
          { email: known.email, role: 'owner' },
          { email: fresh.email, role: 'read-only' },
        ],
        keys: [key],
        secret: 'of the other server',
        badges: [{ tag: 'db', signature: 'abc' }],
        channels: [channel],
        silences: [silence],
      })
      const assigned = order.checks.map((each) => ({ ...each, channelIds: [channel.id, crypto.randomUUID()] }))
      const created = await importing({ ...order, checks: assigned })
      expect(created).toEqual(project)
      expect(await g.store.projects.find(project.id)).toEqual(project)
      expect(await g.store.checks.find(check.id)).toEqual({ check, channelIds: [channel.id] })
      expect(await g.store.channels.list(project.id)).toEqual([channel])
      expect(await g.store.silences.list(project.id, NOON)).toEqual([silence])
      expect((await g.store.team.listMembers(project.id)).map(({ accountId, role }) => [accountId, role])).toEqual([
        [known.id, 'owner'],
        [fresh.id, 'read-only'],
      ])
      expect(await g.store.accounts.find(fresh.email)).toEqual(fresh)
      expect(await g.store.accounts.find(known.email)).toEqual(known)
      expect(await g.store.keys.list(project.id)).toEqual([key])
      expect(await g.store.imports.listSecrets()).toEqual([
        { projectId: project.id, badgeKey: project.badgeKey, secret: 'of the other server' },
      ])
      expect(await g.store.badges.listSignatures(project.badgeKey, 'db')).toEqual(['abc'])
      expect(await g.store.badges.listSignatures(project.badgeKey, 'web')).toEqual([])
      expect(await numbersIn(check)).toEqual({ pings: [4, 3, 2, 1], flips: [3, 2, 1] })
      const entry = await g.store.pings.find(check.id, 2)
      expect(entry).toEqual({ ...aPing(check, 2), droppedBytes: null })
      expect(String(entry?.receivedAt)).toBe(String(after(2)))
      expect(await g.store.imports.listStagedLogs()).toEqual([])
    })

    test('sends nothing, and its next ping goes on in its log', async () => {
      const project = aProject()
      const channel = aChannel(project)
      const { check, order } = await staged({ n: 2, eventN: 2 }, 1, { project, channels: [channel] })
      const down = { ...check, status: 'down' as const }
      await importing({ ...order, checks: [{ check: down, channelIds: [channel.id] }] })
      expect(await g.store.server.readOutbox()).toEqual({ pending: 0, oldestAt: null })
      expect(await g.ping(check)).toBe('ok')
      expect(await numbersIn(check)).toEqual({ pings: [3, 2, 1], flips: [3, 2, 1] })
      expect((await g.claim()).map((order) => order.flip.n)).toEqual([3])
    })

    test('has one row in the audit log, with numbers, and one for each new account', async () => {
      const author = anAuthor()
      const account = anAccount()
      const { project, order } = await staged({ n: 4, eventN: 3 }, 2, { accounts: [account], secret: 'hush' })
      await importProject(g.store, order, g.rules, author)
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows.map(({ action, subject }) => [action, subject.kind, subject.name])).toEqual([
        ['create', 'account', account.email],
        ['create', 'project', project.name],
      ])
      expect(rows[1]?.after).toMatchObject({
        ...{
          imported_from: 'healthchecks',
          checks: 2,
          channels: 0,
          members: 0,
          keys: 0,
          accounts: 1,
          pings: 8,
          flips: 6,
        },
      })
      expect(JSON.stringify(rows)).not.toContain('hush')
    })

    test('takes logs that were staged in parts and by turns, while other checks are pinged', async () => {
      const project = aProject()
      const checks = numbers(1, 3).map((number) => aCheck(project, { createdAt: after(number), nPings: 12 }))
      const here = await g.check()
      for (let n = 0; n < 12; n += 2) {
        const parts = checks.map((check) => aPart(check, project, [n + 1, n + 2], [], { n, eventN: 0 }))
        await g.store.imports.stageLogs(parts.slice(0, 2), NOON)
        await g.ping(here)
        await g.store.imports.stageLogs(parts.slice(2), NOON)
      }
      const logs = new Map(checks.map(({ id }) => [id, { n: 12, eventN: 0 }]))
      await importing(anImport({ project, logs, checks: checks.map((check) => ({ check, channelIds: [] })) }))
      for (const check of checks) expect((await numbersIn(check)).pings).toEqual(numbers(1, 12).toReversed())
      expect((await numbersIn(here)).pings).toEqual(numbers(1, 6).toReversed())
      const log = await g.store.pings.readLog(checks[1]?.id ?? '', 8, 3, 300)
      expect(log.map(({ bodyStart }) => new TextDecoder().decode(bodyStart ?? bytes('')))).toEqual(
        [7, 6, 5].map((n) => `backup ${n} of ${checks[1]?.id}`),
      )
    })

    test('gives numbers after those of its log, though its own are less', async () => {
      const { check, order } = await staged({ n: 4, eventN: 3 })
      const less = { ...check, nPings: 1, nEvents: 0 }
      await importing({ ...order, checks: [{ check: less, channelIds: [] }] })
      await g.ping(check, { action: 'fail' })
      expect(await numbersIn(check)).toEqual({ pings: [5, 4, 3, 2, 1], flips: [4, 3, 2, 1] })
    })

    test('keeps gaps in the numbers of its log, and pruning shortens a log that is too long', async () => {
      const project = aProject({ pingLogLimit: 5 })
      const [long, short] = [aCheck(project, { nPings: 109 }), aCheck(project, { nPings: 4, createdAt: after(1) })]
      await g.store.imports.stageLogs(
        [aPart(long, project, numbers(101, 109)), aPart(short, project, numbers(1, 4))],
        NOON,
      )
      const logs = new Map([
        [long.id, { n: 109, eventN: 0 }],
        [short.id, { n: 4, eventN: 0 }],
      ])
      await importing(anImport({ project, logs, checks: [long, short].map((check) => ({ check, channelIds: [] })) }))
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 4, more: false })
      expect((await numbersIn(long)).pings).toEqual([109, 108, 107, 106, 105])
      expect((await numbersIn(short)).pings).toEqual([4, 3, 2, 1])
    })

    test('gets a slug, public ids and times of creation that are free', async () => {
      const here = await g.check()
      const project = aProject({ name: 'Second', slug: g.project.slug })
      const checks = [1, 2].map(() => aCheck(project, { publicId: here.publicId }))
      const created = await importing(anImport({ project, checks: checks.map((check) => ({ check, channelIds: [] })) }))
      expect(created.slug).toBe('drawn')
      const found = (await allChecks(g.store, project.id)).map(({ check }) => check)
      expect(new Set([here.publicId, ...found.map(({ publicId }) => publicId)]).size).toBe(3)
      expect(found.map(({ createdAt }) => String(createdAt))).toEqual([String(NOON), String(after(0.000_001))])
    })

    test('has the reminders of its email channels running while one of its checks is down', async () => {
      const wanted = { reminder: { periodSeconds: 3_600, firstAt: after(3_600) }, report: () => after(60) }
      for (const status of ['up', 'down'] as const) {
        const project = aProject()
        const channel = aChannel(project, { kind: 'email', settings: 'ops@example.org' })
        const { check, order } = await staged({ n: 1, eventN: 1 }, 1, {
          ...{ project, channels: [channel], mailings: new Map([[channel.id, wanted]]) },
        })
        await importing({ ...order, checks: [{ check: { ...check, status }, channelIds: [] }] })
        const dates = (await g.store.mailings.list(project.id)).map(({ kind, dueAt }) => [kind, dueAt && String(dueAt)])
        const reminder = status === 'down' ? String(after(3_600)) : null
        expect(dates).toEqual([
          ['report', String(after(60))],
          ['reminder', reminder],
        ])
      }
    })

    test('is whole or not there at all, and what was staged is there for the next try', async () => {
      const project = aProject()
      const channel = aChannel(project, { kind: 'email', settings: 'ops@example.org' })
      const { check, order } = await staged({ n: 3, eventN: 1 }, 1, {
        ...{ project, channels: [channel], accounts: [anAccount()], secret: 'hush' },
      })
      const shown = await stageProject(g.store, order, g.rules)
      const before = await seen()
      const report = () => {
        throw new Error('the last thing fails')
      }
      const failing = { ...order, mailings: new Map([[channel.id, { report }]]) }
      const failed = await rejection(g.store.by(anAuthor()).imports.importProject(failing, shown))
      expect(String(failed)).toContain('the last thing fails')
      expect(await seen()).toEqual(before)
      expect(await g.store.checks.find(check.id)).toBeNull()
      await g.store.by(anAuthor()).imports.importProject(order, shown)
      expect((await numbersIn(check)).pings).toEqual([3, 2, 1])
    })

    test('is refused when a log is not staged as it should be', async () => {
      const { check, order } = await staged({ n: 3, eventN: 1 })
      const before = await seen()
      const extents = [{ n: 2, eventN: 1 }, { n: 3, eventN: 0 }, null]
      for (const extent of extents) {
        const logs = new Map(extent ? [[check.id, extent]] : [])
        expect((await refusalOf(importing({ ...order, logs }))).code).toBe('import-interrupted')
        await g.store.imports.dropStagedProject({ id: order.project.id, stagedAt: NOON })
      }
      await g.store.imports.dropStagedLogs([check.id])
      expect((await refusalOf(importing(order))).code).toBe('import-interrupted')
      expect({ ...(await seen()), staged: before.staged }).toEqual(before)
    })

    test('is found by the words that its pings brought', async () => {
      const { order, check } = await staged({ n: 2, eventN: 0 })
      await readWords(g.store)
      await importing(order)
      await readWords(g.store)
      expect(await found(g.store, check, 'backup')).toEqual([2, 1])
    })
  })

  describe('what another project has', () => {
    test('is told, and keeps the project from being made', async () => {
      const key = storedKey(g.project, 'read-write', 'odw_x', SECRET, NOON)
      await g.store.by(anAuthor()).keys.create(key)
      const [check, channel] = [await g.check(), await g.channel()]
      const silence = aSilenceOf(g.project)
      await g.store.by(anAuthor()).silences.create(silence, NOON)
      const page = {
        slug: 'status',
        isPublic: true,
        isIndexed: false,
        title: '',
        text: '',
        tz: 'UTC',
        sections: [],
        updatedAt: NOON,
      }
      await g.store.by(anAuthor()).statusPages.change(g.project.id, () => ({ ...page, projectId: g.project.id }))
      const project = aProject()
      const own = { projectId: project.id }
      const clashes: readonly (readonly [string, string, Partial<ProjectImport>])[] = [
        ['project', g.project.id, { project: { ...project, id: g.project.id } }],
        ['project-name', g.project.name, { project: { ...project, name: g.project.name } }],
        ['badge-key', g.project.badgeKey, { project: { ...project, badgeKey: g.project.badgeKey } }],
        ['key', key.hint, { keys: [{ ...key, ...own }] }],
        ['check', check.id, { checks: [{ check: { ...check, ...own }, channelIds: [] }] }],
        ['channel', channel.id, { channels: [{ ...channel, ...own }] }],
        ['silence', silence.id, { silences: [silence] }],
        ['status-page', 'status', { statusPage: { ...page, ...own } }],
      ]
      const before = await seen()
      for (const [kind, taken, over] of clashes) {
        const order = anImport({ project, ...over })
        expect(await g.store.imports.findClashes(order)).toEqual([{ kind, taken, projectId: g.project.id }] as never)
        const refusal = await refusalOf(importing(order))
        expect([refusal.code, refusal.data.problems?.length]).toEqual(['import-clash', 1])
        if (kind === 'check' || kind === 'badge-key') expect(JSON.stringify(refusal)).not.toContain(taken)
      }
      expect(await seen()).toEqual(before)
      expect(await g.store.imports.findClashes(anImport({ project }))).toEqual([])
    })
  })

  describe('a check that was deleted', () => {
    test.each(['cleared before', 'as it was'])('comes back only when all that it left is removed: %s', async (how) => {
      const first = await staged({ n: 4, eventN: 3 })
      await importing(first.order)
      if (how === 'cleared before') await g.store.by(anAuthor()).checks.clear(first.check.id)
      await g.store.by(anAuthor()).projects.delete(first.project.id, 0)
      expect(only(await g.store.imports.findExtents([first.check.id]))).toEqual({
        ...{ stored: null, staged: null, isLeaving: true },
      })
      const again = () => stage(g.store, first.check, first.project, { n: 4, eventN: 3 })
      expect((await refusalOf(again())).code).toBe('import-interrupted')
      await g.store.imports.removeDeletedLogs([first.check.id])
      await again()
      expect(await g.store.retention.prune(LONG_AGO, 20)).toMatchObject({ pings: 0, events: 0 })
      await importing(first.order)
      expect(await numbersIn(first.check)).toEqual({ pings: [4, 3, 2, 1], flips: [3, 2, 1] })
    })
  })
}
