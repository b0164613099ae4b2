/** Silences: alerts that they hold are sent when they end, if they are still true. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { byOf } from '../../../src/domain/author.ts'
import type { Channel } from '../../../src/domain/channel/channel.ts'
import type { Check } from '../../../src/domain/check/check.ts'
import type { Signal } from '../../../src/domain/ping/signal.ts'
import { endSilence, type Silence } from '../../../src/domain/silence/silence.ts'
import type { Arrival, SilencePlace } from '../../../src/store/store.ts'
import { aSignal } from '../../support/builders.ts'
import {
  after,
  anAuthor,
  aProject,
  aSilenceOf,
  NOON,
  type OpenStore,
  only,
  type StoreFixture,
  storeFixture,
} from '../../support/store-builders.ts'

export function silencesContract(open: OpenStore): void {
  let g: StoreFixture
  let channel: Channel
  beforeEach(async () => {
    g = await storeFixture(open)
    channel = await g.channel()
  })
  afterEach(() => g.close())

  const silence = async (over: Partial<Silence> = {}) => {
    const made = aSilenceOf(g.project, { reason: 'upgrade', ...over })
    await g.store.by(anAuthor()).silences.create(made, g.clock.now())
    return made
  }
  const end = ({ id, projectId }: Silence, author = anAuthor()) =>
    g.store.by(author).silences.change({ projectId, id }, (one) => endSilence(one, g.clock.now()), g.clock.now())
  const check = async (over: Partial<Check> = {}) => {
    const made = await g.check(over, [channel])
    await g.ping(made)
    return made
  }
  const fail = async (...checks: readonly Check[]) => {
    for (const one of checks) await g.ping(one, { action: 'fail' })
  }
  const news = async () =>
    (await g.store.deliveries.list(g.project.id, null, 100))
      .map(({ delivery, status, checkName }) => `${checkName}${delivery.eventN} ${status}`)
      .toReversed()
  const incident = async ({ id }: Check) => only(await g.store.incidents.list(id, null, 10))
  const lookAt = async (seconds: number) => {
    g.clock.set(after(seconds).toString())
    return g.store.incidents.look(await g.store.incidents.due(g.clock.now(), 100), g.rules)
  }

  describe('a silence', () => {
    test('holds an incident, which is told when it ends', async () => {
      const { id } = await silence()
      const job = await check()
      await fail(job)
      expect(await news()).toEqual([])
      expect(await incident(job)).toMatchObject({
        ...{ told: null, toldAt: null, held: { why: 'silence', silenceId: id, until: after(3600) }, lastN: 3 },
        nextLookAt: after(3600),
      })
      expect(await g.stored(job)).toMatchObject({ status: 'down', nEvents: 3 })
      expect(await g.store.incidents.nextLookAt()).toEqual(after(3600))
      expect(await lookAt(3599)).toEqual({ looked: 0, owed: false })
      expect(await lookAt(3600)).toEqual({ looked: 1, owed: true })
      expect(await incident(job)).toMatchObject({ told: 'down', toldAt: after(3600), held: null, nextLookAt: null })
      expect(await g.store.incidents.listEvents(await incident(job))).toMatchObject([
        { kind: 'flip', n: 2 },
        { kind: 'held', n: 3, silenceId: id, until: after(3600) },
        { kind: 'released', n: 4, from: 'silence', by: null },
      ])
      g.clock.advance({ seconds: 1 })
      await g.ping(job)
      expect(await news()).toEqual(['2 down', '5 up'])
    })

    test('is named by the alert that it held, and the last note goes with the later ones', async () => {
      const { id } = await silence({ reason: 'upgrade' })
      const job = await check()
      await fail(job)
      const by = anAuthor()
      await g.store.by(by).incidents.note(await incident(job), 'Disk is full', g.rules)
      await lookAt(3600)
      const down = only(await g.claim())
      const note = { at: after(0), by: byOf(by), text: 'Disk is full' }
      expect(down).toMatchObject({
        flip: { n: 2 },
        isNewest: true,
        incident: { n: 2, held: { why: 'silence', silenceId: id, until: after(3600) }, reason: 'upgrade', note },
      })
      const ended = { result: { state: 'sent' }, trace: { beganAt: g.clock.now(), duration: 0, answer: null } } as const
      await g.store.deliveries.record([down.delivery], ended.result, ended.trace, g.clock.now())
      await g.ping(job)
      expect(only(await g.claim())).toMatchObject({ flip: { newStatus: 'up' }, incident: { n: 2, note } })
    })

    test('leaves the alert that it held as it was sent, whatever is noted later', async () => {
      await silence()
      const job = await check()
      await fail(job)
      const note = async (text: string) => {
        await g.store.by(anAuthor()).incidents.note(await incident(job), text, g.rules)
      }
      await note('Disk is full')
      await lookAt(3600)
      g.clock.advance({ seconds: 1 })
      await note('Freed 2 GB')
      const told = async (eventN: number) =>
        (await g.store.deliveries.findStory({ checkId: job.id, eventN }, g.clock.now()))?.incident?.note?.text
      expect(await told(2)).toBe('Disk is full')
      await g.ping(job)
      expect(await told((await incident(job)).lastN)).toBe('Freed 2 GB')
    })

    test('of a project that the check has left keeps its reason there', async () => {
      await silence({ reason: 'upgrade' })
      const job = await check()
      await fail(job)
      await lookAt(3600)
      const target = aProject()
      await g.store.by(anAuthor()).projects.create(target, [])
      const places = { from: g.project.id, to: target.id }
      await g.store.by(anAuthor()).checks.transfer(job.id, places, g.clock.now())
      const story = await g.store.deliveries.findStory({ checkId: job.id, eventN: 2 }, g.clock.now())
      expect(story?.incident).toMatchObject({ held: { why: 'silence' }, reason: '' })
    })

    test('that holds nothing is named by no alert', async () => {
      const job = await check()
      await fail(job)
      expect(only(await g.claim()).incident).toEqual({ n: 2, held: null, reason: '', note: null })
    })

    test('that outlasts a problem leaves nothing to tell', async () => {
      await silence()
      const job = await check()
      await fail(job)
      await g.ping(job)
      expect(await lookAt(3600)).toEqual({ looked: 0, owed: false })
      expect(await news()).toEqual([])
    })

    test('does not hold the recovery from what was told', async () => {
      const job = await check()
      await fail(job)
      await silence()
      await g.ping(job)
      expect(await news()).toEqual(['2 down', '3 up'])
    })

    test('holds the checks that it names and that have its tags, of its project', async () => {
      const jobs = [await check({ name: 'a' }), await check({ name: 'b', tags: 'x y' }), await check({ name: 'c' })]
      await silence({ match: { checks: [], tags: ['y'] } })
      await silence({ match: { checks: [(jobs[0] as Check).id], tags: [] } })
      g.clock.advance({ seconds: 300 })
      await g.judgeOverdue()
      expect(await news()).toEqual(['c2 down'])
    })

    test('until healthy ends for a check with its next success, and for others it holds on', async () => {
      await silence({ untilHealthy: true })
      const [a, b] = [await g.check({ name: 'a' }, [channel]), await g.check({ name: 'b' }, [channel])]
      await fail(a, b)
      g.clock.advance({ seconds: 1 })
      // The success is in the same batch, and the failure after it is reported.
      await g.commit(g.arrival(a), g.arrival(a, { action: 'fail' }))
      expect(await news()).toEqual(['a4 down'])
      expect(await incident(b)).toMatchObject({ told: null })
    })

    test('numbers its events between the flips of a batch', async () => {
      await silence()
      const job = await check()
      const [down, up] = [g.arrival(job, { action: 'fail' }), g.arrival(job)]
      await g.commit(down, up, down)
      const [second, first] = await g.store.incidents.list(job.id, null, 10)
      expect([first, second]).toMatchObject([
        { n: 2, lastN: 4 },
        { n: 5, lastN: 6 },
      ])
      expect((await g.stored(job)).nEvents).toBe(6)
      await g.ping(job)
      expect((await g.store.flips.list(job.id, {}, null)).items.map(({ n }) => n)).toEqual([7, 5, 4, 2, 1])
    })

    test('that somebody ends is over at once, and what it held is looked at', async () => {
      const made = await silence()
      const job = await check()
      await fail(job)
      g.clock.advance({ seconds: 60 })
      const author = anAuthor()
      expect(await end(made, author)).toEqual({ ...made, endsAt: after(60) })
      expect(await end(made)).toBeNull()
      const rows = (await g.store.audit.list(100)).filter((row) => row.author.changeId === author.changeId)
      expect(rows).toMatchObject([
        { action: 'edit', subject: { kind: 'silence', id: made.id, name: 'upgrade' }, projectId: g.project.id },
      ])
      expect(await g.store.incidents.nextLookAt()).toEqual(after(60))
      expect(await lookAt(60)).toEqual({ looked: 1, owed: true })
      expect(await news()).toEqual(['2 down'])
    })

    test('wakes what it holds when somebody ends it, and no other incident; one that is made wakes none', async () => {
      const [a, b] = [await check({ name: 'a' }), await check({ name: 'b' })]
      const of = ({ id }: Check) => ({ match: { checks: [id], tags: [] } })
      const [first, second] = [await silence(of(a)), await silence(of(b))]
      await fail(a, b)
      g.clock.advance({ seconds: 60 })
      const third = await silence({ ...of(a), startsAt: after(60), endsAt: after(5000), createdAt: after(60) })
      const due = async () => (await g.store.incidents.due(g.clock.now(), 10)).map(({ checkId }) => checkId)
      expect(await due()).toEqual([])
      await end(first)
      expect(await due()).toEqual([a.id])
      expect(await lookAt(60)).toEqual({ looked: 1, owed: false })
      expect(await incident(a)).toMatchObject({ held: { silenceId: third.id, until: after(5000) } })
      await end(second)
      expect(await due()).toEqual([b.id])
    })

    test('that ends while another one holds what it is about is asked no more when that ends', async () => {
      await silence()
      const other = await silence({ startsAt: after(1), endsAt: after(5000) })
      const job = await check()
      await fail(job)
      g.clock.advance({ seconds: 60 })
      await end(other)
      expect(await g.store.incidents.due(g.clock.now(), 10)).toEqual([])
      expect(await lookAt(3600)).toEqual({ looked: 1, owed: true })
      expect(await news()).toEqual([`${job.name}2 down`])
    })

    test('follows another one: each is asked when the one before it ends', async () => {
      await silence()
      const job = await check()
      await fail(job)
      g.clock.advance({ seconds: 60 })
      const second = await silence({ startsAt: after(60), endsAt: after(5000), createdAt: after(60) })
      await lookAt(3600)
      expect(await incident(job)).toMatchObject({ held: { silenceId: second.id, until: after(5000) }, told: null })
      await lookAt(5000)
      expect(await news()).toEqual(['2 down'])
    })

    test('is listed with its project, found by its id, and ended only there', async () => {
      const [later, first] = [await silence(), await silence({ endsAt: after(60) })]
      expect(await g.store.silences.list(g.project.id, NOON)).toEqual([first, later])
      expect(await g.store.silences.list(g.project.id, after(60))).toEqual([later])
      expect(await g.store.silences.find(first.id)).toEqual(first)
      expect(await g.store.silences.listEnded(g.project.id, NOON, null, 10)).toEqual([])
      expect(await g.store.silences.listEnded(g.project.id, after(60), null, 10)).toEqual([first])
      expect(await end({ ...first, projectId: crypto.randomUUID() })).toBeNull()
      expect(await g.store.retention.pruneSilences(after(60), 10)).toBe(0)
      expect(await g.store.retention.pruneSilences(after(61), 10)).toBe(1)
      expect(await g.store.silences.find(first.id)).toBeNull()
    })

    test('is listed when it has ended, too, with those that reach into the same time', async () => {
      const job = await check()
      const other = { checks: [(await check()).id], tags: [] }
      const ended = await silence({ endsAt: after(60) })
      const own = await silence({ startsAt: after(60), endsAt: after(900), match: { checks: [job.id], tags: [] } })
      const others = await silence({ endsAt: after(1800), match: other })
      await silence({ startsAt: after(1800), endsAt: after(3600) })
      g.clock.advance({ hours: 2 })
      const past = (from: number, until: number, checkId: string | null) =>
        g.store.silences.listPast(g.project.id, after(from), after(until), checkId, 10)
      expect(await past(0, 1800, null)).toEqual([others, own, ended])
      expect(await past(0, 1800, job.id)).toEqual([own, ended])
      expect(await past(60, 1800, job.id)).toEqual([own])
      expect(await past(0, 60, job.id)).toEqual([ended])
      expect(await g.store.silences.listPast(crypto.randomUUID(), NOON, after(1800), null, 10)).toEqual([])
    })

    test('of a person is in the past before those of ping URLs, of which there may be very many', async () => {
      await silence({ endsAt: after(60) })
      const [first, last] = [await check(), await check()]
      for (const [seconds, job] of [
        [600, first],
        [900, last],
      ] as const) {
        await g.ping(job, { action: 'log', silence: { seconds, untilHealthy: false } })
      }
      const past = async (limit: number) => {
        const silences = await g.store.silences.listPast(g.project.id, NOON, after(1800), null, limit)
        return silences.map(({ createdBy, match }) => (createdBy === null ? match.checks : 'a person'))
      }
      expect(await past(3)).toEqual([[last.id], [first.id], 'a person'])
      expect(await past(2)).toEqual([[last.id], 'a person'])
      expect(await past(1)).toEqual(['a person'])
    })

    test('that has ended is listed page by page, the last to end first', async () => {
      const [a, b] = ['0b000000-0000-4000-8000-000000000000', 'a0000000-0000-4000-8000-000000000000']
      const first = await silence({ endsAt: after(60) })
      const [second, third] = [
        await silence({ id: a, endsAt: after(120) }),
        await silence({ id: b, endsAt: after(120) }),
      ]
      const page = (before: SilencePlace | null, limit: number) =>
        g.store.silences.listEnded(g.project.id, after(120), before, limit)
      expect(await page(null, 10)).toEqual([third, second, first])
      expect(await page(null, 1)).toEqual([third])
      expect(await page({ ...third, endsAt: after(120) }, 1)).toEqual([second])
      expect(await page({ ...second, endsAt: after(120) }, 10)).toEqual([first])
      expect(await page({ ...first, endsAt: after(60) }, 10)).toEqual([])
    })

    test('of a ping URL takes the place of the one before, of the same check alone', async () => {
      const [job, other] = [await check(), await check()]
      const ask = (one: Check, silence: NonNullable<Signal['silence']>) => g.ping(one, { action: 'log', silence })
      const own = await silence({ match: { checks: [job.id], tags: [] } })
      const listed = async () => {
        const silences = await g.store.silences.list(g.project.id, NOON)
        return silences.map(({ createdBy, match, endsAt }) => [createdBy, match.checks, endsAt])
      }
      await ask(other, { seconds: 900, untilHealthy: false })
      await ask(job, { seconds: 300, untilHealthy: false })
      await ask(job, { seconds: 600, untilHealthy: true })
      const rest = [
        [null, [other.id], after(900)],
        [own.createdBy, [job.id], after(3600)],
      ]
      expect(await listed()).toEqual([[null, [job.id], after(600)], ...rest])
      await ask(job, 'end')
      expect(await listed()).toEqual(rest)
      g.clock.advance({ seconds: 1200 })
      await ask(other, { seconds: 60, untilHealthy: false })
      expect(await listed()).toEqual([[null, [other.id], after(1260)], ...rest.slice(1)])
    })

    test('of a ping URL that is asked for again and again is one, of which its incident writes once', async () => {
      const job = await check()
      const ask = () => g.ping(job, { action: 'log', silence: { seconds: 600, untilHealthy: false } })
      await ask()
      await fail(job)
      const [first] = await g.store.silences.list(g.project.id, NOON)
      for (const seconds of [60, 120, 180]) {
        g.clock.set(after(seconds).toString())
        await ask()
        await lookAt(seconds)
      }
      const last = only(await g.store.silences.list(g.project.id, NOON))
      expect(last).toMatchObject({ id: first?.id, startsAt: after(180), endsAt: after(780) })
      const held = await incident(job)
      expect(held).toMatchObject({ held: { silenceId: last.id, until: after(780) }, nextLookAt: after(780) })
      expect((await g.store.incidents.listEvents(held)).map(({ kind }) => kind)).toEqual(['flip', 'held'])
      g.clock.set(after(900).toString())
      await ask()
      expect(only(await g.store.silences.list(g.project.id, after(900))).id).not.toBe(last.id)
    })

    test('is found for some checks with those of people, without those that other ping URLs asked for', async () => {
      const [job, other] = [await check(), await check()]
      const ask = (one: Check) => g.ping(one, { action: 'log', silence: { seconds: 60, untilHealthy: false } })
      const tagged = await silence({ match: { checks: [], tags: ['y'] } })
      await ask(other)
      const of = async (checks: readonly Check[], seconds: number) =>
        (await g.store.silences.listOf(checks, after(seconds))).map(({ createdBy, match }) => [createdBy, match.checks])
      const rest = [tagged.createdBy, []]
      expect(await of([job], 0)).toEqual([rest])
      await ask(job)
      expect(await of([job], 0)).toEqual([rest, [null, [job.id]]])
      expect(await of([job], 60)).toEqual([rest])
      expect(await of([], 0)).toEqual([])
    })

    test('of a ping URL stays for the record when it is over, without a row in the audit log', async () => {
      const job = await check()
      const rows = async () => (await g.store.audit.list(100)).length
      const before = await rows()
      await g.ping(job, { action: 'log', silence: { seconds: 600, untilHealthy: false } })
      await fail(job)
      const asked = only(await g.store.silences.list(g.project.id, NOON))
      g.clock.advance({ seconds: 60 })
      await g.ping(job, { action: 'log', silence: 'end' })
      expect(await g.store.silences.find(asked.id)).toEqual({ ...asked, endsAt: after(60) })
      expect(await lookAt(60)).toEqual({ looked: 1, owed: true })
      g.clock.advance({ seconds: 60 })
      await g.ping(job, { action: 'log', silence: 'end' })
      expect(await g.store.silences.find(asked.id)).toEqual({ ...asked, endsAt: after(60) })
      expect(await rows()).toBe(before)
      await g.ping(job, { action: 'log', silence: { seconds: 60, untilHealthy: false } })
      expect(await g.store.silences.find(asked.id)).toBeNull()
    })

    test('of a ping URL holds on when its check is moved; those of the project that it leaves do not', async () => {
      const target = aProject()
      await g.store.by(anAuthor()).projects.create(target, [])
      await silence({ match: { checks: [], tags: ['y'] } })
      const [own, tagged] = [await check({ name: 'own', tags: 'y' }), await check({ name: 'tagged', tags: 'y' })]
      await g.ping(own, { action: 'log', silence: { seconds: 600, untilHealthy: false } })
      await fail(own, tagged)
      const places = { from: g.project.id, to: target.id }
      for (const { id } of [own, tagged]) await g.store.by(anAuthor()).checks.transfer(id, places, g.clock.now())
      expect((await g.store.silences.list(target.id, NOON)).map(({ match }) => match.checks)).toEqual([[own.id]])
      await lookAt(0)
      expect(await incident(tagged)).toMatchObject({ told: 'down', held: null })
      expect(await incident(own)).toMatchObject({ told: null, nextLookAt: after(600) })
    })

    test('by tag lets go at once of a check that loses the tag', async () => {
      await silence({ match: { checks: [], tags: ['y'] } })
      const job = await check({ tags: 'x y' })
      await fail(job)
      const edit = (tags: string) =>
        g.store.by(anAuthor()).checks.change(job.id, (before) => ({ check: { ...before, tags } }), g.rules)
      await edit('y')
      expect(await lookAt(0)).toEqual({ looked: 1, owed: false })
      await edit('x')
      expect(await lookAt(0)).toEqual({ looked: 1, owed: true })
      expect(await news()).toEqual([`${job.name}2 down`])
    })

    test('of a ping URL holds what fails in the same commit, and the last one of a commit counts', async () => {
      const [job, other] = [await check({ name: 'A' }), await check({ name: 'B' })]
      const arrival = (one: Check, given: Partial<Signal>): Arrival => ({
        target: { kind: 'id', id: one.id },
        signal: aSignal(given),
        receivedAt: g.clock.now(),
      })
      const asked = { action: 'log', silence: { seconds: 60, untilHealthy: false } } as const
      await g.commit(
        arrival(job, asked),
        arrival(other, asked),
        arrival(other, { action: 'log', silence: 'end' }),
        arrival(job, { action: 'fail' }),
        arrival(other, { action: 'fail' }),
      )
      expect((await news()).map((line) => line.charAt(0))).toEqual(['B'])
    })

    test('that a check ignores to be asked for is none', async () => {
      const job = await check({ methods: 'POST' })
      await g.ping(job, { action: 'log', method: 'GET', silence: { seconds: 60, untilHealthy: false } })
      expect(await g.store.silences.list(g.project.id, NOON)).toEqual([])
    })

    test('is moved with the clock that made it, when that is set back, and what it holds is looked at', async () => {
      g.clock.set(after(7200).toString())
      const made = await silence({ startsAt: after(7200), endsAt: after(10_800), createdAt: after(7200) })
      const job = await check()
      await fail(job)
      await g.store.server.pullBack(after(0))
      expect(await g.store.silences.find(made.id)).toEqual({
        ...made,
        startsAt: NOON,
        endsAt: after(3600),
        createdAt: NOON,
      })
      expect(await incident(job)).toMatchObject({ openedAt: NOON, nextLookAt: NOON })
    })
  })

  describe('a window', () => {
    /** Every hour at 30 minutes past, for 10 minutes, without an end. */
    const hourly = { endsAt: null, window: { schedule: '30 * * * *', tz: 'Europe/Riga', seconds: 600 } }

    test('comes back as it was made, and is there until somebody ends it', async () => {
      const made = await silence(hourly)
      expect(await g.store.silences.find(made.id)).toEqual(made)
      const years = after(10 * 366 * 86_400)
      expect(await g.store.silences.list(g.project.id, years)).toEqual([made])
      expect(await g.store.retention.pruneSilences(years, 10)).toBe(0)
      expect(await end(made)).toEqual({ ...made, endsAt: NOON })
      expect(await g.store.silences.list(g.project.id, NOON)).toEqual([])
      expect(await g.store.retention.pruneSilences(after(1), 10)).toBe(1)
    })

    test('that has no end is listed as one that ends after the others', async () => {
      const [made, once] = [await silence(hourly), await silence()]
      const job = await check()
      expect(await g.store.silences.list(g.project.id, NOON)).toEqual([once, made])
      expect(await g.store.silences.listOf([job], after(3_601))).toEqual([made])
      expect(await g.store.silences.listPast(g.project.id, NOON, after(60), null, 10)).toEqual([made, once])
      expect(await g.store.silences.listEnded(g.project.id, after(3_601), null, 10)).toEqual([once])
    })

    test('holds what goes down within it, and nothing before', async () => {
      await silence(hourly)
      const [early, late] = [await check({ name: 'early' }), await check({ name: 'late' })]
      await fail(early)
      g.clock.set(after(30 * 60).toString())
      await fail(late)
      expect(await news()).toEqual(['early2 down'])
      expect(await incident(late)).toMatchObject({ nextLookAt: after(40 * 60), held: { until: after(40 * 60) } })
      expect(await lookAt(40 * 60)).toEqual({ looked: 1, owed: true })
      expect(await news()).toEqual(['early2 down', 'late2 down'])
    })

    test('that is ended while it holds lets go at once', async () => {
      const made = await silence(hourly)
      const job = await check()
      g.clock.set(after(31 * 60).toString())
      await fail(job)
      g.clock.set(after(32 * 60).toString())
      expect(await end(made)).toEqual({ ...made, endsAt: after(32 * 60) })
      expect(await lookAt(32 * 60)).toEqual({ looked: 1, owed: true })
    })

    test('that is changed while it holds lets go at its new end, which may have passed', async () => {
      const made = await silence(hourly)
      const [first, second] = [await check(), await check({ name: 'second' })]
      const change = (seconds: number) => (one: Silence) => ({ ...one, window: { ...hourly.window, seconds } })
      g.clock.set(after(35 * 60).toString())
      await fail(first)
      const author = anAuthor()
      const longer = await g.store.by(author).silences.change(made, change(1200), g.clock.now())
      expect([longer, await g.store.silences.find(made.id)]).toEqual([change(1200)(made), change(1200)(made)])
      expect((await g.store.audit.list(100)).find((row) => row.author.changeId === author.changeId)).toMatchObject({
        ...{ action: 'edit', before: { duration: 600 }, after: { duration: 1200 } },
      })
      expect(await lookAt(35 * 60)).toEqual({ looked: 1, owed: false })
      expect(await incident(first)).toMatchObject({ nextLookAt: after(50 * 60) })
      await fail(second)
      await g.store.by(anAuthor()).silences.change(made, change(60), g.clock.now())
      expect(await lookAt(35 * 60)).toEqual({ looked: 2, owed: true })
    })

    test('that overlaps another one is followed by it', async () => {
      await silence(hourly)
      const longer = await silence({ ...hourly, window: { ...hourly.window, schedule: '35 * * * *' } })
      const job = await check()
      g.clock.set(after(36 * 60).toString())
      await fail(job)
      await lookAt(40 * 60)
      expect(await incident(job)).toMatchObject({ told: null, held: { silenceId: longer.id, until: after(45 * 60) } })
      expect(await lookAt(45 * 60)).toEqual({ looked: 1, owed: true })
    })

    test('keeps that it has no end when the clock is set back', async () => {
      g.clock.set(after(7200).toString())
      const made = await silence({ ...hourly, startsAt: after(7200), createdAt: after(7200) })
      await g.store.server.pullBack(NOON)
      expect(await g.store.silences.find(made.id)).toEqual({ ...made, startsAt: NOON, createdAt: NOON })
    })
  })
}
