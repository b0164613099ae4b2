import { describe, expect, test } from 'bun:test'
import { readGoDuration } from '../../../src/domain/go-duration.ts'
import { planCronJobs, writePatches } from '../../../src/domain/import/kubernetes.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { temporaryFolder } from '../../support/folder.ts'

const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
}
const URL = 'https://overdue.example.org/ping/6f2ae1f6-93f9-4bb0-a5b0-0ac7d2c0a4a1'

const CONTAINER = { name: 'job', image: 'registry.example.org/job', env: [{ name: 'PASSWORD', value: 'hunter2' }] }
const cronJob = (spec: object, pod: object = {}) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly', namespace: 'prod' },
  spec: {
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [CONTAINER], ...pod } } } },
    ...spec,
  },
})
const plan = (...documents: unknown[]) => planCronJobs(documents, OPTIONS)
const one = (spec: object) => {
  const { checks, notes } = plan(cronJob(spec))
  return (
    checks.map(({ timing, graceSeconds, isPaused }) => ({ ...timing, grace: graceSeconds, isPaused }))[0] ??
    notes[0]?.reason
  )
}

describe('CronJobs', () => {
  test.each([
    [{ schedule: '0 3 * * *' }, { schedule: '0 3 * * *', tz: 'UTC', grace: 3600, isPaused: false }],
    [
      { schedule: '0 3 ? * 1', timeZone: 'Europe/Riga' },
      { schedule: '0 3 * * 1', tz: 'Europe/Riga', grace: 3600, isPaused: false },
    ],
    [
      { schedule: 'CRON_TZ=Asia/Tokyo 0 3 * * *' },
      { schedule: '0 3 * * *', tz: 'Asia/Tokyo', grace: 3600, isPaused: false },
    ],
    [
      { schedule: '@hourly', suspend: true },
      { schedule: '0 * * * *', tz: 'UTC', grace: 3600, isPaused: true },
    ],
    [{ schedule: '@every 1h30m' }, { timeout: 5400, grace: 3600, isPaused: false }],
    [
      { schedule: '*/10 * * * *', startingDeadlineSeconds: 100 },
      { schedule: '*/10 * * * *', tz: 'UTC', grace: 700, isPaused: false },
    ],
    [{ schedule: '0 3 * * *', timeZone: 'Mars/Base' }, 'Its time zone is not an IANA name such as Europe/Riga.'],
    [{ schedule: '0 3 * *' }, 'Its schedule has not five fields.'],
    [{ schedule: '@every 5s' }, 'The period of a check is 60 seconds to 365 days.'],
    [{ schedule: 5 }, 'Its schedule has not five fields.'],
    [{}, 'Its schedule has not five fields.'],
  ])('%p', (spec, expected) => {
    expect(one(spec)).toEqual(expected)
  })

  test('activeDeadlineSeconds goes into the grace time', () => {
    const job = cronJob({ schedule: '*/10 * * * *' })
    Object.assign(job.spec.jobTemplate.spec, { activeDeadlineSeconds: 1200 })
    expect(plan(job).checks[0]?.graceSeconds).toBe(1800)
  })

  test('come from lists too, with the namespace in name and slug; other objects are left out', () => {
    const { checks, notes } = plan(
      { kind: 'List', items: [cronJob({ schedule: '@daily' }), { kind: 'Secret' }] },
      null,
      'x',
      [],
    )
    expect(checks.map(({ name, slug }) => [name, slug])).toEqual([['prod/nightly', 'prod-nightly']])
    expect(notes).toHaveLength(4)
  })

  test('that ping already are left out', () => {
    const { checks, notes } = plan(
      cronJob({ schedule: '@daily' }, { initContainers: [{ name: 'x', command: ['curl', URL] }] }),
    )
    expect(checks).toEqual([])
    expect(notes.map(({ reason }) => reason)).toEqual(['The job pings a check already.'])
  })

  test.each([
    [{ containers: [CONTAINER, CONTAINER] }],
    [{ containers: [] }],
    [{ containers: [{ ...CONTAINER, lifecycle: {} }] }],
  ])('with %p get a check, and no patch', (pod) => {
    const planned = plan(cronJob({ schedule: '@daily' }, pod))
    expect(planned.checks).toHaveLength(1)
    expect(planned.notes.map(({ kind }) => kind)).toEqual(['to-do'])
    expect(writePatches(planned, 'curl', () => URL)).toEqual([])
  })

  test('patches hold nothing of the job but the name of its container', () => {
    const patches = writePatches(plan(cronJob({ schedule: '@daily' })), 'curl', () => URL)
    expect(JSON.stringify(patches)).not.toContain('hunter2')
  })
})

const kubectl = Bun.which('kubectl')

test.skipIf(kubectl === null).each([[{}], [{ initContainers: [{ name: 'first', image: 'x' }] }]])(
  'kubectl takes the patch of a job with %p: the job runs between the pings',
  async (pod) => {
    const job = cronJob({ schedule: '@daily' }, pod)
    const [patch] = writePatches(plan(job), 'curl', () => URL)
    const folder = temporaryFolder()
    await Bun.write(folder.file('job.json'), JSON.stringify(job))
    const words = [
      'patch',
      '--local',
      '-f',
      folder.file('job.json'),
      '--type',
      'json',
      '-o',
      'json',
      '--patch',
      JSON.stringify(patch?.operations),
    ]
    const child = Bun.spawn([kubectl ?? '', ...words], { stdout: 'pipe', stderr: 'pipe' })
    const { spec } = JSON.parse(await child.stdout.text())
    const { containers, initContainers } = spec.jobTemplate.spec.template.spec
    const before = 'initContainers' in pod ? ['first'] : []
    expect(initContainers.map(({ name }: { name: string }) => name)).toEqual(['overdue-start', ...before, 'job'])
    expect(initContainers.at(-1)).toEqual(CONTAINER)
    expect(containers.map(({ name }: { name: string }) => name)).toEqual(['overdue-end'])
    folder.remove()
  },
)

test.each([
  ['5m', 300],
  ['1h30m', 5400],
  ['1.5h', 5400],
  ['0', 0],
  ['-5m', null],
  ['5', null],
  ['', null],
])('the Go duration %p is %p seconds', (text, seconds) => {
  expect(readGoDuration(text)).toBe(seconds)
})
