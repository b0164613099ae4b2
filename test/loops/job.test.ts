import { expect, test } from 'bun:test'
import { type Instant, Temporal } from '../../src/lib/time.ts'
import { createJob } from '../../src/loops/job.ts'
import type { LoopRun } from '../../src/services/common/ports/measurements.ts'
import { handClock } from '../support/clock.ts'

const systemTime = () => Temporal.Now.instant()
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

/** A job whose runs the test ends. */
function gatedJob() {
  const runs: PromiseWithResolvers<Instant | null>[] = []
  const errors: unknown[] = []
  const ended: LoopRun[] = []
  let underWay = 0
  const clock = handClock()
  const job = createJob({
    now: clock.now,
    onError: (error) => errors.push(error),
    onStart: () => (run) => ended.push(run),
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
  job.start()
  const end = async (index: number, next: Instant | null = null) => {
    runs[index]?.resolve(next)
    await turns()
  }
  return { job, runs, errors, end, ended, clock }
}

test('a job that was not started does nothing', async () => {
  let runs = 0
  const work = async () => {
    runs += 1
    return null
  }
  const job = createJob({ now: systemTime, onError: () => {}, onStart: () => () => {}, work })
  job.run()
  await turns()
  expect(runs).toBe(0)
  job.start()
  job.run()
  await turns()
  expect(runs).toBe(1)
})

test('a job never runs twice at once; requests during a run cause one more run', async () => {
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

test('failing work is reported, and the job continues', async () => {
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

test('failing work runs again if it was requested meanwhile', async () => {
  const { job, runs, end } = gatedJob()
  job.run()
  job.run()
  runs[0]?.reject(new Error('no'))
  await turns()
  expect(runs).toHaveLength(2)
  await end(1)
})

/** A job that returns the next instants and then none; resolves with the times at which it ran. */
function alarmedJob(first: number, ...delays: readonly number[]) {
  const left = [first, ...delays]
  const ranAt: number[] = []
  const done = Promise.withResolvers<readonly number[]>()
  const job = createJob({
    now: systemTime,
    onError: done.reject,
    onStart: () => () => {},
    work: async () => {
      ranAt.push(systemTime().epochMilliseconds)
      const delay = left.shift()
      if (delay === undefined) done.resolve(ranAt)
      return delay === undefined ? null : systemTime().add({ milliseconds: delay })
    },
  })
  job.start()
  return { job, ranAt, done: done.promise }
}

test('the work runs again at the instant it returned, and not before', async () => {
  const { job, done } = alarmedJob(20, 5, 0, -1000)
  job.run()
  const [first = 0, second = 0, third = 0] = await done
  await job.stop()
  expect(await done).toHaveLength(5)
  expect(second - first).toBeGreaterThanOrEqual(20)
  expect(third - second).toBeGreaterThanOrEqual(5)
  // The unit is milliseconds, not seconds.
  expect(third - first).toBeLessThan(20_000)
})

test('a distant instant is left to the loop', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const { job, ranAt } = alarmedJob(60_000)
  job.run()
  await turns()
  expect(ranAt).toHaveLength(1)
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout')).toHaveLength(before)
  await job.stop()
})

test('a later run replaces the alarm instead of adding one', async () => {
  const ran: number[] = []
  const done = Promise.withResolvers<void>()
  const job = createJob({
    now: systemTime,
    onError: done.reject,
    onStart: () => () => {},
    work: async () => {
      ran.push(ran.length)
      if (ran.length > 2) done.resolve()
      return ran.length > 2 ? null : systemTime().add({ milliseconds: 15 })
    },
  })
  job.start()
  job.run()
  await turns()
  job.run()
  await done.promise
  // If the first alarm had survived the second run, there would be a fourth one now.
  await Bun.sleep(25)
  expect(ran).toHaveLength(3)
  await job.stop()
})

test('stopping waits for the current run, cancels the alarm and prevents new runs', async () => {
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

test('a run that ends after the job was stopped is the last, whatever instant it returns', async () => {
  const gate = Promise.withResolvers<void>()
  let runs = 0
  const job = createJob({
    now: systemTime,
    onError: () => {},
    onStart: () => () => {},
    work: async () => {
      runs += 1
      await gate.promise
      return systemTime()
    },
  })
  job.start()
  job.run()
  const stopping = job.stop()
  gate.resolve()
  await stopping
  await Bun.sleep(10)
  expect(runs).toBe(1)
})

test('each run is reported when it ends, with its start and due time', async () => {
  const { job, runs, end, ended, clock } = gatedJob()
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

  // Failed work is still due.
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
