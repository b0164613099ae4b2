/** CronJobs that get the wrapper before their command, and the effect of their patch. */
import { describe, expect, test } from 'bun:test'
import {
  type CronJobOptions,
  writePatches,
  writeScriptMaps,
} from '../../../../src/import/proposals/kubernetes/kubernetes.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { CONTAINER, cronJob, PINGING, planBy, URL } from '../cron-jobs.ts'

const SCRIPT = '/overdue/overdue-run'
const JOB = { ...CONTAINER, image: 'registry.example.org/alpine:3.22', command: ['/opt/job', '--all'] }
const jobWith = (container: object, pod: object = {}) =>
  cronJob({ schedule: '@daily' }, { containers: [{ ...JOB, ...container }], ...pod })

/** Returns the shell that reads the wrapper; null: containers ping before and after the job, or nothing does. */
function wrappingShell(by: CronJobOptions['by'], job: object) {
  const [patch] = writePatches(planBy(by, job), PINGING, () => URL)
  const words = (patch?.operations ?? []).filter(({ path }) => /\/command\/\d+$/.test(String(path)))
  return words.length === 0 ? null : words[1]?.value
}
const reasonOf = (by: CronJobOptions['by'], job: object) => planBy(by, job).notes[0]?.reason

describe('where nobody says what the images have, the manifest must show a shell and a client', () => {
  test.each([
    ['alpine'],
    ['alpine:3.22@sha256:00'],
    ['postgres:17-alpine3.22'],
    ['docker.io/library/busybox:musl'],
    ['registry.example.org:5000/team/alpine-tools'],
    ['alpine/k8s:1.37.0'],
    ['docker.io/curlimages/curl:8.11.1'],
    ['registry.example.org/mirror/curlimages/curl'],
  ])('the image %s does', (image) => {
    expect(wrappingShell(null, jobWith({ image }))).toBe('/bin/sh')
  })

  test.each([['debian'], ['postgres:17'], ['alpine.example.org/job'], ['example/alpinejs'], ['curlimages/curl-tools']])(
    'the image %s does not',
    (image) => {
      const job = jobWith({ image })
      expect(wrappingShell(null, job)).toBeNull()
      const { notes, patchable } = planBy(null, job)
      expect(notes).toMatchObject([
        { kind: 'changed', reason: 'Nothing shows that its image has a shell, and curl or wget.' },
      ])
      expect(notes[0]?.advice).toContain('choose overdue-run')
      expect(patchable.size).toBe(1)
    },
  )

  test.each([
    [{ command: ['/bin/sh', '-c', 'dump | curl -T - https://files.example.org'] }, '/bin/sh'],
    [{ command: ['bash', '-ec'], args: ['if true; then\n  wget -q https://files.example.org\nfi'] }, 'bash'],
    [{ command: ['/bin/ash', '-c', 'x="$(curl https://files.example.org)"; echo "$x"'] }, '/bin/ash'],
    [{ command: ['timeout', '60', 'sh', '-c', 'curl https://files.example.org'] }, '/bin/sh'],
    [{ command: ['sh', '-c', 'apt-get install -y curl && curl https://files.example.org'] }, null],
    [{ command: ['sh', '-c', 'dump # curl https://files.example.org'] }, null],
    [{ command: ['sh', '-c', 'echo "curl https://files.example.org"'] }, null],
    [{ command: ['sh', '-c', 'kubectl exec web -- curl https://files.example.org'] }, null],
    [{ command: ['kubectl', 'exec', 'web', '--', 'sh', '-c', 'curl https://files.example.org'] }, null],
    [{ command: ['zsh', '-c', 'curl https://files.example.org'] }, null],
    [{ command: ['curl', 'https://files.example.org'] }, null],
    [{ args: ['sh', '-c', 'curl https://files.example.org'], command: [] }, null],
  ])('a container with %j: %p', (container, shell) => {
    expect(wrappingShell(null, jobWith({ image: 'registry.example.org/job', ...container }))).toBe(shell)
  })
})

test('with --with overdue-run, every job with a command gets it, and with --with curl none', () => {
  const job = jobWith({ image: 'registry.example.org/job' })
  expect(wrappingShell('overdue-run', job)).toBe('/bin/sh')
  expect([wrappingShell('curl', jobWith({})), planBy('curl', jobWith({})).notes]).toEqual([null, []])
})

const PROXY = { name: 'HTTPS_PROXY', value: 'http://proxy:3128' }
const TAKEN = 'It has a volume overdue-run, or something at /overdue, already.'
test.each([
  [{ command: undefined }, {}, 'It names no command, and the command of its image is unknown.'],
  [{ command: [] }, {}, 'It names no command, and the command of its image is unknown.'],
  [{ command: ['-c'] }, {}, 'Its command does not begin with a program.'],
  [{ command: [5] }, {}, 'Its command does not begin with a program.'],
  [{ env: [PROXY] }, {}, 'Its pods use a proxy, and nothing shows that its image has curl, which understands it.'],
  [
    { resources: { limits: { memory: '48Mi' } } },
    {},
    'Its memory limit is below 64Mi, which the wrapper would share with the job.',
  ],
  [{ volumeMounts: [{ name: 'x', mountPath: '/overdue/data' }] }, {}, TAKEN],
  [{}, { volumes: [{ name: 'overdue-run', emptyDir: {} }] }, TAKEN],
])('a job with %j and %j keeps its command, and containers ping around it', (container, pod, reason) => {
  for (const by of ['overdue-run', null] as const) {
    const job = jobWith(container, pod)
    const planned = planBy(by, job)
    expect(planned.notes).toMatchObject([{ kind: 'changed', reason, advice: expect.stringContaining('containers') }])
    expect(JSON.stringify(writePatches(planned, PINGING, () => URL))).toContain('overdue-end')
  }
})

test('a proxy is no obstacle where the command shows curl', () => {
  const command = ['sh', '-c', 'curl https://files.example.org']
  expect(wrappingShell(null, jobWith({ env: [PROXY], command }))).toBe('sh')
})

test.each([
  [{ lifecycle: {} }, {}],
  [{}, { initContainers: [{ name: 'proxy', image: 'x', restartPolicy: 'Always' }] }],
])('what keeps a job from standing among the init containers does not matter: %j and %j', (container, pod) => {
  const job = jobWith(container, pod)
  expect([wrappingShell(null, job), reasonOf(null, job)]).toEqual(['/bin/sh', undefined])
})

test('containers from elsewhere may run beside a job with the wrapper', () => {
  const job = jobWith({})
  Object.assign(job.spec.jobTemplate.spec.template, { metadata: { labels: { 'sidecar.istio.io/inject': 'true' } } })
  expect([wrappingShell(null, job), reasonOf(null, job)]).toEqual(['/bin/sh', undefined])
  expect(writePatches(planBy('curl', job), PINGING, () => URL)).toEqual([])
})

test('one of several containers, one of several pods, and one on Windows get no wrapper', () => {
  const several = cronJob({ schedule: '@daily' }, { containers: [JOB, JOB] })
  const parallel = jobWith({})
  Object.assign(parallel.spec.jobTemplate.spec, { parallelism: 2 })
  for (const job of [several, parallel, jobWith({}, { os: { name: 'windows' } })])
    expect(writePatches(planBy('overdue-run', job), PINGING, () => URL)).toEqual([])
})

const READ_ONLY = { securityContext: { readOnlyRootFilesystem: true } }
test.each([
  [READ_ONLY, 1],
  [{ ...READ_ONLY, volumeMounts: [{ name: 'tmp', mountPath: '/tmp/' }] }, 0],
  [{ ...READ_ONLY, volumeMounts: [{ name: 'tmp', mountPath: '/tmpfiles' }] }, 1],
  [{ ...READ_ONLY, env: [{ name: 'TMPDIR', value: '/cache/x' }], volumeMounts: [{ mountPath: '/cache' }] }, 0],
  [{}, 0],
])('without a folder for temporary files, the pings have no output, which is said: %j', (container, count) => {
  const { notes } = planBy(null, jobWith(container))
  expect(notes.map(({ kind }) => kind)).toEqual(new Array(count).fill('to-do'))
})

test('each namespace gets one object with the script, if a job of it is wrapped', () => {
  const job = (name: string, namespace: string | undefined, container = {}) =>
    Object.assign(jobWith(container), { metadata: { name, namespace } })
  const planned = planBy(
    null,
    ...[job('a', 'prod'), job('b', 'prod'), job('c', undefined), job('d', 'test', { image: 'debian' })],
  )
  expect(writeScriptMaps(planned, '#!/bin/sh\n')).toMatchObject([
    { metadata: { name: 'overdue-run', namespace: 'prod' }, data: { 'overdue-run': '#!/bin/sh\n' } },
    { metadata: { name: 'overdue-run' } },
  ])
})

test('anything may stand in the place of a text', () => {
  const odd: unknown[] = [{ toString: 1 }, null, 5]
  odd.push(odd)
  for (const more of [{}, { command: odd }, { image: odd }]) {
    const job = jobWith({ args: odd, env: odd, volumeMounts: odd, ...READ_ONLY, ...more }, { volumes: odd })
    expect(planBy(null, job).checks).toHaveLength(1)
  }
})

test('a job that is patched already is left out', () => {
  const command = ['/bin/sh', SCRIPT, '--check', URL, '--', '/opt/job']
  expect(planBy(null, jobWith({ command })).checks).toEqual([])
})

const kubectl = Bun.which('kubectl')

/** Returns the job after `kubectl patch`; null: kubectl refuses. */
async function patched(job: object, operations: unknown): Promise<ReturnType<typeof cronJob> | null> {
  const folder = temporaryFolder()
  await Bun.write(folder.file('job.json'), JSON.stringify(job))
  const words = ['patch', '--local', '-f', folder.file('job.json'), '--type', 'json', '-o', 'json', '--patch']
  const child = Bun.spawn([kubectl ?? '', ...words, JSON.stringify(operations)], { stdout: 'pipe', stderr: 'ignore' })
  const text = await child.stdout.text()
  folder.remove()
  return (await child.exited) === 0 ? JSON.parse(text) : null
}

describe.skipIf(kubectl === null)('kubectl (skipped where it is not installed)', () => {
  const TMP = { name: 'tmp', emptyDir: {} }
  const MOUNT = { name: 'tmp', mountPath: '/tmp' }
  test.each([
    [{}, {}],
    [{ volumeMounts: [MOUNT] }, { volumes: [TMP], activeDeadlineSeconds: 60 }],
    [{ args: ['--password', 'hunter2'] }, { volumes: [TMP] }],
  ])('takes the patch of a job with %j and %j', async (container, pod) => {
    const job = jobWith(container, pod)
    const [patch] = writePatches(planBy(null, job), PINGING, () => URL)
    expect(JSON.stringify(patch)).not.toContain('hunter2')
    const after = await patched(job, patch?.operations)
    const script = { name: 'overdue-run', mountPath: '/overdue', readOnly: true }
    const volume = { name: 'overdue-run', configMap: { name: 'overdue-run' } }
    const given: { args?: string[]; volumeMounts?: object[]; volumes?: object[] } = { ...container, ...pod }
    expect(after?.spec.jobTemplate.spec.template.spec).toEqual({
      ...job.spec.jobTemplate.spec.template.spec,
      ...('activeDeadlineSeconds' in pod ? { activeDeadlineSeconds: 120 } : {}),
      containers: [
        {
          ...JOB,
          ...container,
          command: ['/bin/sh', SCRIPT, '--check', URL, '--', '/opt/job', '--all'],
          volumeMounts: [...(given.volumeMounts ?? []), script],
        },
      ],
      volumes: [...(given.volumes ?? []), volume],
    } as never)
  })

  test('refuses the same patch again', async () => {
    const [patch] = writePatches(planBy(null, jobWith({})), PINGING, () => URL)
    const after = await patched(jobWith({}), patch?.operations)
    expect(await patched(after ?? {}, patch?.operations)).toBeNull()
  })

  test('refuses the patch of a job that has other volumes by now', async () => {
    const [patch] = writePatches(planBy(null, jobWith({})), PINGING, () => URL)
    expect(await patched(jobWith({}, { volumes: [TMP] }), patch?.operations)).toBeNull()
  })
})
