import { describe, expect, test } from 'bun:test'
import { readGoDuration } from '../../../../src/domain/go-duration.ts'
import { writePatches } from '../../../../src/import/proposals/kubernetes/kubernetes.ts'
import { readObject } from '../../../../src/import/proposals/kubernetes/objects.ts'
import { textsOf } from '../../../../src/import/proposals/kubernetes/texts.ts'
import { CONTAINER, cronJob, PINGING, plan, URL } from '../cron-jobs.ts'

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
    [{ schedule: '0 0 */2 * 1' }, { schedule: '0 0 1-31/2 * 1', tz: 'UTC', grace: 3600, isPaused: false }],
    [{ schedule: '0 0 1 * ?/2' }, { schedule: '0 0 1 * 0-6/2', tz: 'UTC', grace: 3600, isPaused: false }],
    [{ schedule: '0 0 */2 * *' }, { schedule: '0 0 */2 * *', tz: 'UTC', grace: 3600, isPaused: false }],
    [{ schedule: '0 5 * * 5-7' }, 'Kubernetes rejects the weekday 7: Sunday is 0.'],
    [{ schedule: '0 5 L * *' }, 'Kubernetes rejects L, W and # in a schedule.'],
    [{ schedule: '0 5 * * mon#1' }, 'Kubernetes rejects L, W and # in a schedule.'],
    [{ schedule: '0 3 * *' }, 'Its schedule does not have five fields.'],
    [{ schedule: '@every 5s' }, 'The period of a check is 60 seconds to 365 days.'],
    [{ schedule: 5 }, 'Its schedule does not have five fields.'],
    [{}, 'It has no schedule, so it is only a part of a manifest.'],
    [{ schedule: '@every 5 minutes' }, 'Its "@every" needs a duration such as 1h30m.'],
    [{ schedule: '@reboot' }, 'Kubernetes does not understand its schedule.'],
    [{ schedule: '@daily', timeZone: 2 }, 'Its time zone is not an IANA name such as Europe/Riga.'],
    [
      { schedule: 'TZ=Asia/Tokyo 0 3 * * *', timeZone: 'Asia/Tokyo' },
      'It has a zone in its schedule and in timeZone, which Kubernetes rejects.',
    ],
    [
      { schedule: '@hourly', suspend: 'yes' },
      { schedule: '0 * * * *', tz: 'UTC', grace: 3600, isPaused: true },
    ],
  ])('%p', (spec, expected) => {
    expect(one(spec)).toEqual(expected)
  })

  test('activeDeadlineSeconds goes into the grace time, and the patch adds what the pings take of it', () => {
    const job = cronJob({ schedule: '*/10 * * * *' })
    Object.assign(job.spec.jobTemplate.spec, { activeDeadlineSeconds: 1200 })
    const planned = plan(job)
    expect(planned.checks[0]?.graceSeconds).toBe(1800)
    expect(planned.notes).toMatchObject([{ kind: 'changed', name: 'prod/nightly' }])
    const path = '/spec/jobTemplate/spec/activeDeadlineSeconds'
    expect(writePatches(planned, PINGING, () => URL)[0]?.operations.slice(-2)).toEqual([
      { op: 'test', path, value: 1200 },
      { op: 'replace', path, value: 1260 },
    ])
    const ofPod = plan(cronJob({ schedule: '*/10 * * * *' }, { activeDeadlineSeconds: 600 }))
    expect(ofPod.checks[0]?.graceSeconds).toBe(1200)
    expect(JSON.stringify(writePatches(ofPod, PINGING, () => URL))).toContain('/template/spec/activeDeadlineSeconds')
  })

  test('that name no zone say which one is assumed', () => {
    expect(plan(cronJob({ schedule: '0 3 * * *' })).checks[0]?.why).toEqual(['it names no zone, so UTC is assumed'])
    expect(plan(cronJob({ schedule: '0 3 * * *', timeZone: 'UTC' })).checks[0]?.why).toEqual([])
  })

  test('come from lists too, with the namespace in name and slug; other objects are left out', () => {
    const { checks, notes } = plan(
      { kind: 'List', items: [cronJob({ schedule: '@daily' }), { kind: 'Service' }] },
      null,
      'x',
      [],
    )
    expect(checks.map(({ name, slug }) => [name, slug])).toEqual([['prod/nightly', 'prod-nightly']])
    expect(notes).toHaveLength(4)
  })

  test('of a list of the API get their kind from it, and the list may hold anything else', () => {
    const { kind: _, apiVersion: __, ...bare } = cronJob({ schedule: '@daily' })
    const { checks, notes } = plan({ kind: 'CronJobList', items: [bare, null, 'x', { metadata: 5 }] })
    expect(checks).toHaveLength(1)
    expect(notes.map(({ name }) => name)).toEqual([
      'CronJob of jobs.yaml line 1 item 2',
      'CronJob of jobs.yaml line 1 item 3',
      'CronJob of jobs.yaml line 1 item 4',
    ])
  })

  test.each([
    [{ metadata: { name: '{{ .Release.Name }}-backup' } }, 'helm template'],
    [{ spec: { schedule: '$' + '{SCHEDULE}' } }, 'helm template'],
    [{ kind: 'Kustomization', metadata: {} }, 'kubectl kustomize'],
    [{ apiVersion: 'example.org/v1' }, 'Create a check'],
    [{ metadata: { generateName: 'nightly-' } }, 'kubectl get cronjobs'],
    [{ kind: 'CronWorkflow', apiVersion: 'argoproj.io/v1alpha1' }, 'Create a check'],
    [{ kind: 'PingSource', apiVersion: 'sources.knative.dev/v1' }, 'Create a check'],
    [{ kind: 'CronWorkflow', spec: { schedules: ['@daily'] } }, 'Create a check'],
    [{ kind: 'RecurringJob', apiVersion: 'longhorn.io/v1beta2', spec: { cron: '0 3 * * *' } }, 'Create a check'],
    [{ kind: 'ScheduledWorkflow', apiVersion: 'kubeflow.org/v1beta1', spec: {} }, 'Create a check'],
    [{ kind: 'Deployment', apiVersion: 'apps/v1', spec: {} }, null],
  ])('%p is left out with advice', (over, advice) => {
    const { checks, notes } = plan({ ...cronJob({ schedule: '@daily' }), ...over }, cronJob({ schedule: '@daily' }))
    expect(checks).toHaveLength(1)
    expect([notes.length, notes[0]?.kind]).toEqual([1, 'left-out'])
    if (advice === null) expect(notes[0]?.advice).toBeNull()
    else expect(notes[0]?.advice).toContain(advice)
  })

  test.each([
    [{}, { restartPolicy: 'Always' }, 'Never or OnFailure'],
    [{ concurrencyPolicy: 'Queue' }, {}, 'Allow, Forbid or Replace'],
  ])('that Kubernetes rejects because of %p or %p are left out', (spec, pod, reason) => {
    const { checks, notes } = plan(cronJob({ schedule: '@daily', ...spec }, pod))
    expect(checks).toEqual([])
    expect(notes).toMatchObject([{ kind: 'left-out', reason: expect.stringContaining(reason) }])
  })

  test.each([
    [{ ...cronJob({ schedule: '@daily' }), apiVersion: 'batch/v1beta1' }, 'Kubernetes 1.25 removed batch/v1beta1.'],
    [cronJob({ schedule: '@daily', startingDeadlineSeconds: 5 }), 'With a startingDeadlineSeconds below 10'],
  ])('that may not run get a check, a patch and a note: %#', (job, reason) => {
    const planned = plan(job)
    expect(planned.checks).toHaveLength(1)
    expect(planned.notes).toMatchObject([{ kind: 'to-do', reason: expect.stringContaining(reason) }])
    expect(writePatches(planned, PINGING, () => URL)).toHaveLength(1)
  })

  test.each([{ suspend: true }, { parallelism: 0 }])('whose jobs have %p are paused', (ofJob) => {
    const job = cronJob({ schedule: '@daily' })
    Object.assign(job.spec.jobTemplate.spec, ofJob)
    expect(plan(job).checks).toMatchObject([{ isPaused: true, why: expect.arrayContaining([expect.any(String)]) }])
  })

  test.each([
    [
      '30 3 * * *',
      'Europe/Riga',
      ['on 2027-03-28 clocks skip its time and Kubernetes does not run it, so the check will alert'],
    ],
    ['30 3 * * 1', 'Europe/Riga', []],
    ['*/30 * * * *', 'Europe/Riga', []],
    ['30 3 * * *', 'Asia/Tokyo', []],
  ])('at %p in %p have no run in an hour that clocks skip: %p', (schedule, timeZone, why) => {
    expect(plan(cronJob({ schedule, timeZone })).checks).toMatchObject([{ why }])
  })

  test('may have settings that do not concern their check', () => {
    const job = cronJob({ schedule: '@daily', concurrencyPolicy: 'Replace', successfulJobsHistoryLimit: 0 })
    const ofJob = { backoffLimit: 0, ttlSecondsAfterFinished: 0, parallelism: 1, completions: 1 }
    Object.assign(job.spec.jobTemplate.spec, ofJob)
    const planned = plan(job)
    expect([planned.checks.length, planned.notes]).toEqual([1, []])
    expect(writePatches(planned, PINGING, () => URL)).toHaveLength(1)
  })

  test('a part for kustomize, which has no schedule, does not stand for the whole', () => {
    const { checks, notes } = plan(cronJob({ suspend: false }), cronJob({ schedule: '@hourly' }))
    expect(checks).toMatchObject([{ name: 'prod/nightly', isPaused: false }])
    expect(notes).toMatchObject([
      { kind: 'left-out', reason: 'It has no schedule, so it is only a part of a manifest.' },
    ])
  })

  test('in an OpenShift template are not read, with advice', () => {
    const { notes } = plan({ apiVersion: 'template.openshift.io/v1', kind: 'Template', metadata: { name: 'jobs' } })
    expect(notes).toMatchObject([{ name: 'Template jobs', advice: expect.stringContaining('oc process') }])
  })

  test('that are there twice count once', () => {
    const { checks, notes } = plan(cronJob({ schedule: '@daily' }), cronJob({ schedule: '@hourly' }))
    expect(checks).toMatchObject([{ name: 'prod/nightly', timing: { schedule: '0 0 * * *' } }])
    expect(notes).toMatchObject([{ kind: 'left-out', name: 'prod/nightly' }])
  })

  const secret = (kind: string, data: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'hc' }, ...data })
  const withEnv = (...env: object[]) => ({ containers: [{ ...CONTAINER, env }] })
  const RUNITOR = {
    containers: [
      {
        image: 'reg.example:5000/runitor/runitor:v1',
        args: ['-uuid', 'x'],
        env: [{ name: 'A', value: 'https://hc' }, { name: 'B' }],
      },
    ],
  }
  test.each([
    ['a command', { initContainers: [{ name: 'x', command: ['curl', URL] }] }, null],
    ['a script among the arguments', { containers: [{ ...CONTAINER, args: ['-c', `run && curl ${URL}`] }] }, null],
    ['a variable', withEnv({ name: 'HC_URL', value: URL }), null],
    ['the container of a patch', { containers: [{ name: 'overdue-end' }] }, null],
    [
      'a ConfigMap that it mounts',
      { volumes: [{ name: 'scripts', configMap: { name: 'hc' } }] },
      secret('ConfigMap', { data: { 'run.sh': `#!/bin/sh\nrun\ncurl ${URL}` } }),
    ],
    [
      'a Secret that is a variable',
      withEnv({ name: 'A', valueFrom: { secretKeyRef: { name: 'hc', key: 'url' } } }),
      secret('Secret', { data: { url: btoa(URL) } }),
    ],
  ])('that ping already by %s are left out', (_, pod, other) => {
    const { checks, notes } = plan(cronJob({ schedule: '@daily' }, pod), ...(other === null ? [] : [other]))
    expect(checks).toEqual([])
    expect(notes.map(({ reason }) => reason)).toEqual(['The job pings a check already.'])
  })

  test('may have anything in the place of a text', () => {
    const odd: unknown[] = [{ toString: 1 }, null, 5]
    odd.push(odd)
    const pod = { containers: [{ name: 'job', args: odd, env: odd, resources: { limits: { memory: odd } } }] }
    expect(plan(cronJob({ schedule: '@daily' }, { ...pod, volumes: odd, nodeSelector: odd })).checks).toHaveLength(1)
  })

  test.each([
    ['curl $(HEALTHCHECK_URL)', 'http://localhost/health', 1],
    ['curl "$HC_URL"', 'http://localhost/health', 1],
    ['curl "$HC_URL"', URL, 0],
    [`curl $\{HC_URL}/ping/${URL.slice(-36)}`, 'https://hc.example.org', 0],
  ])('with %p and the value %p of the variable: %p checks', (command, value, count) => {
    const env = ['HC_URL', 'HEALTHCHECK_URL'].map((name) => ({ name, value }))
    const pod = { containers: [{ ...CONTAINER, args: ['-c', command], env }] }
    expect(plan(cronJob({ schedule: '@daily' }, pod)).checks).toHaveLength(count)
  })

  test('that could ping by a line that is a comment are taken', () => {
    const args = ['-c', `# curl ${URL}\nrun`]
    expect(plan(cronJob({ schedule: '@daily' }, { containers: [{ ...CONTAINER, args }] })).checks).toHaveLength(1)
  })

  test('are asked about with each text of their own, with the program of an image before its arguments', () => {
    const object = readObject({ place: '', kindOfList: null, tree: cronJob({ schedule: '@daily' }, RUNITOR) })
    expect(object === null ? [] : textsOf(object, new Map())).toEqual([
      '-uuid',
      'x',
      'runitor -uuid x',
      'https://hc',
      'A=https://hc',
    ])
  })

  test('another value of the same Secret does not count, and a variable that cannot be seen is named', () => {
    const pod = withEnv({ name: 'HC_URL', valueFrom: { secretKeyRef: { name: 'hc', key: 'other' } } })
    const { checks, notes } = plan(
      cronJob({ schedule: '@daily' }, pod),
      secret('Secret', { stringData: { url: URL, other: 'x' } }),
    )
    expect(checks).toHaveLength(1)
    expect(notes.map(({ kind, reason }) => [kind, reason.slice(0, 23)])).toEqual([['to-do', 'The value of HC_URL is ']])
  })

  test.each([
    [{ containers: [CONTAINER, CONTAINER] }],
    [{ containers: [] }],
    [{ containers: [{ ...CONTAINER, lifecycle: {} }] }],
    [{ containers: [{ ...CONTAINER, resources: { limits: { memory: '16Mi' } } }] }],
    [{ nodeSelector: { 'kubernetes.io/os': 'windows' } }],
  ])('with %p get a check, and no patch', (pod) => {
    const planned = plan(cronJob({ schedule: '@daily' }, pod))
    expect(planned.checks).toHaveLength(1)
    expect(planned.notes.map(({ kind }) => kind)).toEqual(['to-do'])
    expect(writePatches(planned, PINGING, () => URL)).toEqual([])
  })

  test('patches hold nothing of the job but the name of its container', () => {
    const patches = writePatches(plan(cronJob({ schedule: '@daily' })), PINGING, () => URL)
    expect(JSON.stringify(patches)).not.toContain('hunter2')
  })
})

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

test.each([
  [{ command: ['/bin/sh', '-c'], args: ['mysqldump shop | gzip > x'] }, ['"|"']],
  [{ command: ['bash', '-lc', 'cd /srv\n/opt/a || true\n'] }, ['"||"']],
  [{ args: ['-c', '/opt/a &'] }, ['"&"']],
  [{ command: ['/bin/sh', '-ec', '/opt/a; /opt/b'] }, []],
  [{ command: ['/opt/a', '|', 'gzip'] }, []],
  [{ command: ['kubectl', 'rollout', 'restart', 'deployment/web'] }, ['continues by itself']],
  [
    { image: 'bitnami/kubectl:1.33', args: ['-n', 'shop', 'create', 'job', 'a', '--from=cronjob/b'] },
    ['continues by itself'],
  ],
  [{ image: 'alpine/helm', args: ['upgrade', '--install', 'web', './chart'] }, ['continues by itself']],
  [{ image: 'alpine/helm', args: ['upgrade', '--install', 'web', './chart', '--wait'] }, []],
  [{ image: 'registry.example.org/job', args: ['rollout', 'restart'] }, []],
])('a container with %j: what hides its exit status is named', (container, hints) => {
  const { notes } = plan(cronJob({ schedule: '@daily' }, { containers: [{ ...CONTAINER, ...container }] }))
  expect(notes.map(({ kind }) => kind)).toEqual(hints.map(() => 'to-do' as const))
  for (const [index, hint] of hints.entries()) expect(notes[index]?.reason).toContain(hint)
})
