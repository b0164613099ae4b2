import { expect, test } from 'bun:test'
import { type Instant, Temporal } from '../../src/domain/time.ts'
import { createJob } from '../../src/loops/job.ts'
import type { LoopRun } from '../../src/services/measurements.ts'
import { handClock } from '../support/clock.ts'

const systemTime = () => Temporal.Now.instant()
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

/** A job whose runs end when the test says so. */
function gatedJob() {
  const runs: PromiseWithResolvers<Instant | null>[] = []
  const errors: unknown[] = []
  const ended: LoopRun[] = []
  let underWay = 0
  const clock = handClock()
  const job = createJob({
    now: clock.now,
    onError: (error) => errors.push(error),
    onRun: (run) => ended.push(run),
    work: async () => {
      underWay += 1
      expect(underWay).toBe(1)
      const run = Promise.withResolvers<Instant | null>()
      runs.push(run)
      try {
        return await run.promise
      } finally {
        underWay -= 1
      }
    },
  })
  const end = async (index: number, next: Instant | null = null) => {
    runs[index]?.resolve(next)
    await turns()
  }
  return { job, runs, errors, end, ended, clock }
}

test('a job is never at work twice at once; asked while it runs, however often, it runs once more', async () => {
  const { job, runs, end } = gatedJob()
  job.run()
  job.run()
  job.run()
  await turns()
  expect(runs).toHaveLength(1)
  await end(0)
  expect(runs).toHaveLength(2)
  await end(1)
  expect(runs).toHaveLength(2)
  job.run()
  expect(runs).toHaveLength(3)
  await end(2)
  expect(runs).toHaveLength(3)
})

test('a job asked again during its second run runs a third time', async () => {
  const { job, runs, end } = gatedJob()
  job.run()
  job.run()
  await end(0)
  job.run()
  await end(1)
  expect(runs).toHaveLength(3)
  await end(2)
})

test('work that fails is told, and the job goes on', async () => {
  const { job, runs, errors, end } = gatedJob()
  job.run()
  const failure = new Error('no')
  runs[0]?.reject(failure)
  await turns()
  expect(errors).toEqual([failure])
  job.run()
  await end(1)
  expect(runs).toHaveLength(2)
})

test('work that fails while it was asked again runs again', async () => {
  const { job, runs, end } = gatedJob()
  job.run()
  job.run()
  runs[0]?.reject(new Error('no'))
  await turns()
  expect(runs).toHaveLength(2)
  await end(1)
})

/** A job that names the next instants and then none; resolves with the times at which it ran. */
function alarmedJob(first: number, ...delays: readonly number[]) {
  const left = [first, ...delays]
  const ranAt: number[] = []
  const done = Promise.withResolvers<readonly number[]>()
  const job = createJob({
    now: systemTime,
    onError: done.reject,
    onRun: () => {},
    work: async () => {
      ranAt.push(systemTime().epochMilliseconds)
      const delay = left.shift()
      if (delay === undefined) done.resolve(ranAt)
      return delay === undefined ? null : systemTime().add({ milliseconds: delay })
    },
  })
  return { job, ranAt, done: done.promise }
}

test('the work is called again at the instant it has named, and not before', async () => {
  const { job, done } = alarmedJob(20, 5, 0, -1000)
  job.run()
  const [first = 0, second = 0, third = 0] = await done
  await job.stop()
  expect(await done).toHaveLength(5)
  expect(second - first).toBeGreaterThanOrEqual(20)
  expect(third - second).toBeGreaterThanOrEqual(5)
  expect(third - first).toBeLessThan(1000)
})

test('an instant that is far away is left to the loop', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { job, ranAt } = alarmedJob(60_000)
  job.run()
  await turns()
  expect(ranAt).toHaveLength(1)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before)
  await job.stop()
})

test('a later run sets the alarm anew instead of adding one', async () => {
  const ran: number[] = []
  const done = Promise.withResolvers<void>()
  const job = createJob({
    now: systemTime,
    onError: done.reject,
    onRun: () => {},
    work: async () => {
      ran.push(ran.length)
      if (ran.length > 2) done.resolve()
      return ran.length > 2 ? null : systemTime().add({ milliseconds: 15 })
    },
  })
  job.run()
  await turns()
  job.run()
  await done.promise
  // Had the first alarm survived the second run, there would be a fourth one now.
  await Bun.sleep(25)
  expect(ran).toHaveLength(3)
  await job.stop()
})

test('stopping waits for the present run, calls off the alarm and lets nothing begin', async () => {
  const { job, runs, end } = gatedJob()
  job.run()
  job.run()
  let isStopped = false
  const stopping = job.stop().then(() => {
    isStopped = true
  })
  await turns()
  expect(isStopped).toBe(false)
  await end(0)
  await stopping
  job.run()
  await turns()
  expect(runs).toHaveLength(1)

  const alarmed = alarmedJob(5)
  alarmed.job.run()
  await turns()
  await alarmed.job.stop()
  await Bun.sleep(15)
  expect(alarmed.ranAt).toHaveLength(1)
})

test('a run that ends after the job was stopped is the last, whatever instant it names', async () => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const job = createJob({
    now: systemTime,
    onError: () => {},
    onRun: () => {},
    work: async () => {
      runs += 1
      await gate.promise
      return systemTime()
    },
  })
  job.run()
  const stopping = job.stop()
  gate.resolve()
  await stopping
  await Bun.sleep(10)
  expect(runs).toBe(1)
})

test('each run is told when it has ended: when it began, and since when it was due', async () => {
  const { job, runs, end, ended, clock } = gatedJob()
  // As text, because instants are equal to any other for the test runner.
  const told = () =>
    ended.splice(0).map(({ dueAt, startedAt, endedAt, hasFailed }) => ({
      due: dueAt && String(dueAt),
      from: String(startedAt),
      to: String(endedAt),
      hasFailed,
    }))
  const due = '2026-03-04T12:01:00Z'
  job.run()
  clock.advance({ seconds: 2 })
  await end(0, Temporal.Instant.from(due))
  expect(told()).toEqual([{ due: null, from: '2026-03-04T12:00:00Z', to: '2026-03-04T12:00:02Z', hasFailed: false }])

  clock.set('2026-03-04T12:00:59.999Z')
  job.run()
  await end(1, Temporal.Instant.from(due))
  expect(told()).toMatchObject([{ due: null }])

  const late = '2026-03-04T12:01:03Z'
  clock.set(late)
  job.run()
  runs[2]?.reject(new Error('no'))
  await turns()
  expect(told()).toEqual([{ due, from: late, to: late, hasFailed: true }])

  // What has failed is still due.
  job.run()
  await end(3)
  job.run()
  await end(4)
  expect(told().map((run) => [run.due, run.hasFailed])).toEqual([
    [due, false],
    [null, false],
  ])
  await job.stop()
})
