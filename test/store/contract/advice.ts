/** Advice about checks, and the days of their runs. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Advice } from '../../../src/domain/advice/advice.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import { packedMinutes } from '../../../src/domain/run/day-minutes.ts'
import type { DayRuns } from '../../../src/domain/run/day-runs.ts'
import { addSeconds, type Instant } from '../../../src/lib/time.ts'
import type { EnrolledUpTo, Look, StoredAdvice } from '../../../src/store/store.ts'
import {
  aMember,
  anAccount,
  anAuthor,
  aProject,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

const DAY = 86_400

const GRACE: Advice = {
  kind: 'grace',
  variant: 'runs',
  says: ['Takes up to ', { took: 5_220 }, '.'],
  fix: { do: 'set', settings: { grace: 6_300 } },
  otherFixes: [],
}
const UNTOLD: Advice = {
  kind: 'untold',
  variant: 'none',
  says: ['This check alerts no one.'],
  fix: { do: 'ask', about: 'channels' },
  otherFixes: [],
}

function aDay(over: Partial<DayRuns> = {}): DayRuns {
  return {
    day: '2026-05-12',
    runs: 1,
    failed: 0,
    missed: 0,
    firstAt: null,
    lastAt: null,
    longest: null,
    minutes: packedMinutes([180]),
    ...over,
  }
}

export function adviceContract(open: OpenStore): void {
  let g: StoreFixture
  beforeEach(async () => {
    g = await storeFixture(open)
  })
  afterEach(() => g.close())

  const later = (seconds: number) => addSeconds(g.clock.now(), seconds)
  const claim = (limit = 10) => g.store.advice.claimLooks(g.clock.now(), later(60), limit)
  const stored = async (check: Pick<Check, 'id'>): Promise<StoredAdvice> => {
    const found = await g.store.advice.find(check.id)
    if (!found) throw new Error('nothing is stored')
    return found
  }
  /** Looks at all checks that are due. */
  const look = async (over: Partial<Omit<Look, 'claimed'>> = {}) => {
    const looks = (await claim()).map((claimed) => ({
      claimed,
      lookedN: claimed.lookedN,
      advice: [],
      days: [],
      oldestDay: '',
      lookAfter: later(DAY),
      ...over,
    }))
    await g.store.advice.writeLooks(looks, g.clock.now())
    return looks
  }
  const isDue = async (check: Pick<Check, 'id'>) => (await claim()).some(({ checkId }) => checkId === check.id)
  const putOff = (check: Pick<Check, 'id'>, advice: Advice, until: Instant | null, author = anAuthor()) =>
    g.store.by(author).advice.putOff(check.id, advice, until, g.clock.now())

  describe('checks to look at', () => {
    test('are those that were created, each claimed by one', async () => {
      const [a, b] = [await g.check(), await g.check()]
      expect((await claim()).map(({ checkId }) => checkId).toSorted()).toEqual([a.id, b.id].toSorted())
      expect(await claim()).toEqual([])
      g.clock.advance({ seconds: 60 })
      expect(await claim(1)).toHaveLength(1)
      expect(await g.store.advice.claimLook(a.id, later(60))).toMatchObject({ checkId: a.id, lookedN: 0 })
      expect(await g.store.advice.claimLook(crypto.randomUUID(), later(60))).toBeNull()
    })

    test('are due again when the look says so, longest due first', async () => {
      expect(await g.store.advice.nextLookAt()).toBeNull()
      const [a, b] = [await g.check(), await g.check()]
      const looks = (await claim()).map((claimed) => ({
        claimed,
        lookedN: 0,
        advice: [],
        days: [],
        oldestDay: '',
        lookAfter: later(claimed.checkId === a.id ? 7_200 : 3_600),
      }))
      await g.store.advice.writeLooks(looks, g.clock.now())
      expect(await g.store.advice.nextLookAt()).toEqual(later(3_600))
      expect(await claim()).toEqual([])
      g.clock.advance({ seconds: 7_200 })
      expect(only(await claim(1)).checkId).toBe(b.id)
    })

    test('are due at once after an edit, and begin anew if they are timed otherwise', async () => {
      const check = await g.check({ graceSeconds: 3_600 })
      await look({ advice: [GRACE] })
      await putOff(check, GRACE, later(DAY))
      g.clock.advance({ seconds: 60 })
      const change = (over: Partial<Check>) =>
        g.store.by(anAuthor()).checks.change(check.id, (before) => ({ check: { ...before, ...over } }), g.rules)
      await change({ name: 'Backup' })
      expect(await stored(check)).toMatchObject({ changedAt: check.createdAt.epochMilliseconds, fixed: null })
      expect(await isDue(check)).toBe(true)
      await change({ graceSeconds: 6_300 })
      expect(await stored(check)).toMatchObject({
        changedAt: g.clock.now().epochMilliseconds,
        putOff: [],
        fixed: { kind: 'grace', settings: { grace: 6_300 }, at: g.clock.now().epochMilliseconds },
      })
      expect((await g.store.advice.listFixed(g.project.id)).map(({ checkId }) => checkId)).toEqual([check.id])
      expect(await g.store.advice.listFixed(crypto.randomUUID())).toEqual([])
      expect(await isDue(check)).toBe(true)
      await change({ graceSeconds: 7_200 })
      expect((await stored(check)).fixed).toBeNull()
    })

    test('withdraw what an edit may have mended, before the next look', async () => {
      const [check, channel] = [await g.check(), await g.channel()]
      const change = (over: Partial<Check>, channelIds?: readonly string[]) => {
        const decide = (before: Check) => ({ check: { ...before, ...over }, ...(channelIds && { channelIds }) })
        return g.store.by(anAuthor()).checks.change(check.id, decide, g.rules)
      }
      const given = async () => {
        const { kind, advice } = await stored(check)
        return [kind, ...advice.map((each) => each.kind)]
      }
      await look({ advice: [UNTOLD, GRACE] })
      await change({}, [channel.id])
      expect(await given()).toEqual(['grace', 'grace'])
      await change({ status: 'paused' })
      expect(await given()).toEqual([null])
      expect(await isDue(check)).toBe(true)
    })

    test('remember a fix that sets no timing', async () => {
      const check = await g.check({ methods: 'POST' })
      const ignored: Advice = { ...GRACE, kind: 'ignored', fix: { do: 'set', settings: { methods: '' } } }
      await look({ advice: [ignored] })
      const change = (over: Partial<Check>) =>
        g.store.by(anAuthor()).checks.change(check.id, (before) => ({ check: { ...before, ...over } }), g.rules)
      await change({ methods: '' })
      await change({ name: 'Backup' })
      expect(await stored(check)).toMatchObject({
        advice: [],
        fixed: { kind: 'ignored', settings: { methods: '' }, at: g.clock.now().epochMilliseconds },
      })
    })

    test('are due at once after a flip that time has made', async () => {
      const check = await g.check()
      await look()
      await g.ping(check)
      expect(await isDue(check)).toBe(false)
      g.clock.advance({ seconds: 120 })
      await g.judgeOverdue()
      expect(await isDue(check)).toBe(true)
    })

    test('are due at once after a ping that ends a pause', async () => {
      const check = await g.check({ status: 'paused' })
      await look()
      await g.ping(check)
      expect(await isDue(check)).toBe(true)
    })

    test('are due at once when their integration is turned off, confirmed or deleted', async () => {
      const channel = await g.channel()
      const [check, other] = [await g.check({}, [channel]), await g.check()]
      await look()
      await g.store.channels.change(channel.id, (before) => ({ channel: { ...before, disabledReason: 'gone' } }))
      expect([await isDue(check), await isDue(other)]).toEqual([true, false])
      await g.store.channels.change(channel.id, (before) => ({ channel: { ...before, name: 'Ops' } }))
      expect(await isDue(check)).toBe(false)
      await g.store.by(anAuthor()).channels.delete(channel.id)
      expect(await isDue(check)).toBe(true)
    })

    test('are looked at from the first ask on if an earlier version has made them', async () => {
      const check = await g.check()
      g.clock.advance({ seconds: 60 })
      await g.store
        .by(anAuthor({ at: g.clock.now() }))
        .checks.change(check.id, (before) => ({ check: { ...before, tz: 'Europe/Riga' } }), g.rules)
      let place: EnrolledUpTo | null = null
      do place = await g.store.advice.enrollMissing(place, g.clock.now())
      while (place !== null)
      expect(await stored(check)).toMatchObject({ changedAt: g.clock.now().epochMilliseconds })
    })
  })

  describe('a look', () => {
    test('stores all advice, and shows the first since it was first given', async () => {
      const check = await g.check()
      await look({ advice: [UNTOLD, GRACE], lookedN: 7, lookAfter: later(60) })
      const since = g.clock.now()
      expect(await stored(check)).toMatchObject({
        advice: [UNTOLD, GRACE],
        kind: 'untold',
        variant: 'none',
        lookedN: 7,
      })
      g.clock.advance({ seconds: 60 })
      await look({ advice: [UNTOLD], lookAfter: later(60), lookedN: 8 })
      expect((await stored(check)).since).toEqual(since)
      g.clock.advance({ seconds: 60 })
      await look({ advice: [GRACE], lookAfter: later(60) })
      expect((await stored(check)).since).toEqual(g.clock.now())
      g.clock.advance({ seconds: 60 })
      await look()
      expect(await stored(check)).toMatchObject({ advice: [], kind: null, variant: null, since: null })
    })

    test('finds nothing of a check that was edited meanwhile, and leaves the next look due', async () => {
      const check = await g.check()
      const [claimed] = await claim()
      await g.store
        .by(anAuthor())
        .checks.change(check.id, (before) => ({ check: { ...before, tz: 'Asia/Tokyo' } }), g.rules)
      const made = { lookedN: 3, advice: [GRACE], days: [aDay()], oldestDay: '', lookAfter: later(DAY) }
      await g.store.advice.writeLooks([{ claimed: claimed as Look['claimed'], ...made }], g.clock.now())
      expect(await stored(check)).toMatchObject({ advice: [], lookedN: 3 })
      expect(await isDue(check)).toBe(true)
    })

    test('counts runs once, whoever else has looked', async () => {
      const check = await g.check()
      const [claimed] = await claim()
      const made = { lookedN: 3, advice: [], days: [aDay()], oldestDay: '', lookAfter: later(DAY) }
      const both = { claimed: claimed as Look['claimed'], ...made }
      await g.store.advice.writeLooks([both], g.clock.now())
      await g.store.advice.writeLooks([both], g.clock.now())
      expect((await g.store.checkDays.list([check.id], '')).get(check.id)).toEqual([aDay()])
    })

    test('of a deleted check is lost', async () => {
      const check = await g.check()
      const [claimed] = await claim()
      await g.store.by(anAuthor()).checks.delete(check.id)
      const made = { lookedN: 1, advice: [GRACE], days: [aDay()], oldestDay: '', lookAfter: later(DAY) }
      await g.store.advice.writeLooks([{ claimed: claimed as Look['claimed'], ...made }], g.clock.now())
      expect(await g.store.advice.find(check.id)).toBeNull()
      expect((await g.store.checkDays.list([check.id], '')).size).toBe(0)
    })
  })

  describe('the days of a check', () => {
    test('grow, and are forgotten when they are old', async () => {
      const check = await g.check()
      const first = aDay({ firstAt: later(10), lastAt: later(20), longest: 5, failed: 1 })
      await look({
        days: [first, aDay({ day: '2026-05-13', runs: 0, missed: 2 })],
        lookAfter: g.clock.now(),
        lookedN: 1,
      })
      const more = aDay({
        runs: 2,
        firstAt: later(30),
        lastAt: later(40),
        longest: 9,
        minutes: packedMinutes([180, 181]),
      })
      await look({ days: [more], lookAfter: g.clock.now(), lookedN: 2 })
      const days = async (since = '') => (await g.store.checkDays.list([check.id], since)).get(check.id) ?? []
      expect((await days()).map(({ day }) => day)).toEqual(['2026-05-12', '2026-05-13'])
      expect((await days())[0]).toEqual(
        aDay({
          ...{ runs: 3, failed: 1, firstAt: later(10), lastAt: later(40), longest: 9 },
          minutes: packedMinutes([180, 181]),
        }),
      )
      expect(await days('2026-05-13')).toHaveLength(1)
      await look({ oldestDay: '2026-05-13' })
      expect((await days()).map(({ day }) => day)).toEqual(['2026-05-13'])
    })
  })

  describe('advice of a project', () => {
    test('is listed in order of creation and counted by kind, without that of other projects', async () => {
      const other = aProject()
      await g.store.by(anAuthor()).projects.create(other, [])
      const [a, , c] = [await g.check(), await g.check(), await g.check()]
      const looks = (await claim()).flatMap((claimed) =>
        claimed.checkId === a.id || claimed.checkId === c.id
          ? [{ claimed, lookedN: 0, advice: [GRACE], days: [], oldestDay: '', lookAfter: later(DAY) }]
          : [],
      )
      await g.store.advice.writeLooks(looks, g.clock.now())
      const { items, next } = await g.store.advice.list(g.project.id, null)
      expect([items.map(({ checkId }) => checkId), next]).toEqual([[a.id, c.id], null])
      expect((await g.store.advice.list(other.id, null)).items).toEqual([])
      expect(await g.store.advice.count(g.project.id)).toEqual(new Map([['grace', 2]]))
      expect(await g.store.advice.count(other.id)).toEqual(new Map())
      expect(await g.store.advice.countAll()).toEqual(new Map([['grace', 2]]))
      const found = await g.store.advice.findMany([c.id, crypto.randomUUID()])
      expect(found.map((one) => one?.checkId)).toEqual([c.id, undefined])
    })

    test('is not known in the project to which a check is transferred, and goes away with its log', async () => {
      const target = aProject()
      await g.store.by(anAuthor()).projects.create(target, [])
      const check = await g.check()
      await look({ advice: [GRACE], days: [aDay()], lookedN: 1 })
      await putOff(check, GRACE, later(DAY))
      await g.store.by(anAuthor()).checks.transfer(check.id, { from: g.project.id, to: target.id }, g.clock.now())
      expect(await g.store.advice.count(g.project.id)).toEqual(new Map())
      expect(await g.store.advice.count(target.id)).toEqual(new Map())
      const gone = { advice: [], kind: null, variant: null, since: null, putOff: [], fixed: null }
      expect(await stored(check)).toMatchObject({ ...gone, projectId: target.id })
      await look({ advice: [GRACE], lookedN: 1 })
      expect(await g.store.advice.count(target.id)).toEqual(new Map([['grace', 1]]))
      g.clock.advance({ seconds: 60 })
      await g.store.by(anAuthor({ at: g.clock.now() })).checks.clear(check.id)
      expect(await stored(check)).toMatchObject({ ...gone, changedAt: g.clock.now().epochMilliseconds })
      expect((await g.store.checkDays.list([check.id], '')).size).toBe(0)
    })

    test('is put off by somebody, and heard again when that ends or is taken back', async () => {
      const check = await g.check()
      await look({ advice: [GRACE, UNTOLD], lookAfter: later(60) })
      const author = anAuthor({ kind: 'person', name: 'ann@example.org' })
      expect(await putOff(check, GRACE, later(DAY), author)).toMatchObject({ kind: 'untold' })
      const until = later(DAY).epochMilliseconds
      expect((await stored(check)).putOff).toEqual([
        { kind: 'grace', variant: 'runs', fix: GRACE.fix, until, by: 'ann@example.org' },
      ])
      expect(only((await g.store.audit.list(100)).filter(({ author: by }) => by.name === author.name))).toMatchObject({
        action: 'edit',
        before: { advice_put_off: [] },
        after: { advice_put_off: ['grace'] },
      })
      await putOff(check, UNTOLD, later(DAY))
      expect(await stored(check)).toMatchObject({ kind: null, advice: [GRACE, UNTOLD] })
      expect((await g.store.advice.list(g.project.id, null)).items).toHaveLength(1)
      expect(await g.store.advice.count(g.project.id)).toEqual(new Map())
      expect(await putOff(check, UNTOLD, null)).toMatchObject({ kind: 'untold' })
      g.clock.advance({ seconds: DAY })
      await look({ advice: [GRACE, UNTOLD] })
      expect(await stored(check)).toMatchObject({ kind: 'grace', putOff: [] })
    })

    test('that is not given is not put off', async () => {
      const check = await g.check()
      await look({ advice: [GRACE] })
      expect(await putOff(check, { ...GRACE, fix: { do: 'set', settings: { grace: 1 } } }, later(DAY))).toBeNull()
      expect(await putOff(check, { ...GRACE, variant: 'starts' }, later(DAY))).toBeNull()
      expect(await putOff({ id: crypto.randomUUID() }, GRACE, later(DAY))).toBeNull()
    })
  })

  describe('what surrounds a check', () => {
    test('is the zones of schedules and of the owner, and when others were pinged', async () => {
      const account = anAccount({ tz: 'Europe/Riga' })
      await g.store.by(anAuthor()).accounts.create(account)
      const project = aProject()
      await g.store.by(anAuthor()).projects.create(project, [], aMember(account, project, 'owner'))
      expect(await g.store.advice.findZones(project.id)).toEqual({ schedules: new Map(), owner: 'Europe/Riga' })
      const [check] = [
        await g.check({ kind: 'cron', schedule: '0 3 * * *', tz: 'Asia/Tokyo', name: 'a' }),
        await g.check(),
      ]
      expect((await g.store.advice.findZones(g.project.id)).schedules).toEqual(new Map([['Asia/Tokyo', 1]]))
      await g.ping(check)
      const { items } = await g.store.advice.listLastPings(g.project.id, null)
      expect(items).toEqual([{ checkId: check.id, name: 'a', at: g.clock.now() }])
    })
  })
}
