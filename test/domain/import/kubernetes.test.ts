import { describe, expect, test } from 'bun:test'
import { readGoDuration } from '../../../src/domain/import/go-duration.ts'
import { planCronJobs, writePatches } from '../../../src/domain/import/kubernetes.ts'
import { Temporal } from '../../../src/lib/time.ts'
import { temporaryFolder } from '../../support/folder.ts'

const OPTIONS = {
  zone: 'UTC',
  prefix: '',
  taken: new Set<string>(),
  now: Temporal.Instant.from('2026-05-04T10:00:00Z'),
  pingEndpoint: 'https://overdue.example.org/ping/',
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
const plan = (...trees: unknown[]) =>
  planCronJobs(
    trees.map((tree, index) => ({ tree, place: `jobs.yaml line ${index + 1}` })),
    OPTIONS,
  )
const PINGING = { image: 'curl', user: 65534 }
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
    [{ schedule: '@every 5 minutes' }, 'Its "@every" has no duration such as 1h30m.'],
    [{ schedule: '@reboot' }, 'Kubernetes does not understand its schedule.'],
    [{ schedule: '@daily', timeZone: 2 }, 'Its time zone is not an IANA name such as Europe/Riga.'],
    [
      { schedule: 'TZ=Asia/Tokyo 0 3 * * *', timeZone: 'Asia/Tokyo' },
      'Its schedule has a zone beside that of timeZone, which Kubernetes refuses.',
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
    [{ apiVersion: 'example.org/v1' }, null],
  ])('%p is left out with advice', (over, advice) => {
    const { checks, notes } = plan({ ...cronJob({ schedule: '@daily' }), ...over }, cronJob({ schedule: '@daily' }))
    expect(checks).toHaveLength(1)
    expect([notes.length, notes[0]?.kind]).toEqual([1, 'left-out'])
    if (advice === null) expect(notes[0]?.advice).toBeNull()
    else expect(notes[0]?.advice).toContain(advice)
  })

  test('that are there twice count once', () => {
    const { checks, notes } = plan(cronJob({ schedule: '@daily' }), cronJob({ schedule: '@hourly' }))
    expect(checks).toMatchObject([{ name: 'prod/nightly', timing: { schedule: '0 0 * * *' } }])
    expect(notes).toMatchObject([{ kind: 'left-out', name: 'prod/nightly' }])
  })

  const secret = (kind: string, data: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'hc' }, ...data })
  const withEnv = (...env: object[]) => ({ containers: [{ ...CONTAINER, env }] })
  test.each([
    ['a command', { initContainers: [{ name: 'x', command: ['curl', URL] }] }, null],
    ['a script among the arguments', { containers: [{ ...CONTAINER, args: ['-c', `run && curl ${URL}`] }] }, null],
    ['a variable', withEnv({ name: 'HC_URL', value: URL }), null],
    ['the container of a patch', { containers: [{ name: 'overdue-end' }] }, null],
    [
      'a ConfigMap that it mounts',
      { volumes: [{ name: 'scripts', configMap: { name: 'hc' } }] },
      secret('ConfigMap', { data: { 'run.sh': `curl ${URL}` } }),
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

type Pod = Readonly<Record<string, unknown>>
const ofTemplate = (metadata: object, more: object = {}) => {
  const job = cronJob({ schedule: '@daily' })
  Object.assign(job.spec.jobTemplate.spec.template, { metadata })
  return Object.assign(job, more)
}
const hasPatch = (...trees: unknown[]) => writePatches(plan(...trees), PINGING, () => URL).length === 1

test.each([
  [{ annotations: { 'sidecar.istio.io/inject': 'true' } }, false],
  [{ labels: { 'sidecar.istio.io/inject': 'false' } }, true],
  [{ annotations: { 'linkerd.io/inject': 'enabled' } }, false],
  [{ annotations: { 'vault.hashicorp.com/agent-inject': 'true' } }, false],
  [{ annotations: { 'kubectl.kubernetes.io/default-container': 'job' } }, true],
])('a job beside containers from elsewhere is not moved before them: %p', (metadata, expected) => {
  expect(hasPatch(ofTemplate(metadata))).toBe(expected)
})

test('what a namespace puts into its pods counts, unless the pods refuse it', () => {
  const mesh = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'prod', labels: { 'istio-injection': 'enabled' } },
  }
  expect(hasPatch(mesh, ofTemplate({}))).toBe(false)
  expect(hasPatch(mesh, ofTemplate({ labels: { 'sidecar.istio.io/inject': 'false' } }))).toBe(true)
})

test.each([{ completions: 5 }, { parallelism: 2 }])('a run of several pods gets no patch: %p', (spec) => {
  const job = cronJob({ schedule: '@daily' })
  Object.assign(job.spec.jobTemplate.spec, spec)
  expect(hasPatch(job)).toBe(false)
  expect(plan(job).notes[0]?.reason).toContain('the first that ends would ping success')
})

const ALL = { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }
const DNS = { ports: [{ protocol: 'UDP', port: 53 }], to: [{ namespaceSelector: {} }] }
const HTTPS = { ports: [{ port: 443 }] }
test.each([
  ['denies all', { policyTypes: ['Egress'] }, 'to-do', false],
  ['lets everything through', { egress: [{}] }, undefined, true],
  ['lets HTTPS and DNS through', { egress: [HTTPS, DNS] }, undefined, true],
  ['lets no DNS through', { egress: [HTTPS] }, 'to-do', false],
  ['lets another port through', { egress: [{ ports: [{ port: 5432 }] }, DNS] }, 'to-do', false],
  ['lets a range of ports through', { egress: [{ ports: [{ port: 1, endPort: 1000 }] }] }, undefined, true],
  ['lets all addresses through', { egress: [ALL] }, undefined, true],
  ['lets some pods through', { egress: [{ to: [{ podSelector: {} }] }] }, 'to-do', true],
  ['is about what arrives', { policyTypes: ['Ingress'] }, undefined, true],
  ['chooses other pods', { podSelector: { matchLabels: { app: 'web' } }, egress: [] }, undefined, true],
  [
    'chooses the pods by expressions',
    { podSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['job'] }] }, egress: [] },
    'to-do',
    false,
  ],
])('a NetworkPolicy that %s', (_, spec, kind, expected) => {
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny' }, spec }
  const job = ofTemplate({ labels: { app: 'job' } })
  expect(plan(policy, job).notes[0]?.kind).toBe(kind as never)
  expect(hasPatch(policy, job)).toBe(expected)
})

test('a policy of another namespace does not count, and one of another kind is named', () => {
  const metadata = { name: 'deny', namespace: 'test' }
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: { egress: [] } }
  expect(hasPatch(policy, ofTemplate({}))).toBe(true)
  const { notes } = plan({ apiVersion: 'cilium.io/v2', kind: 'CiliumNetworkPolicy', metadata }, ofTemplate({}))
  expect(notes).toMatchObject([{ kind: 'to-do', name: 'CiliumNetworkPolicy deny' }])
})

test.each([
  [{ dnsPolicy: 'None' }, 'https://overdue.example.org/ping/', 'Its pods ask DNS servers of their own.'],
  [{ hostNetwork: true }, 'http://overdue.tools.svc:8000/ping/', 'Its pods ask the DNS servers of their node'],
  [{}, 'http://localhost:8000/ping/', 'Its pods cannot reach localhost.'],
  [{ hostNetwork: true }, 'https://overdue.example.org/ping/', undefined],
])('pods with %p that ping %s', (pod, pingEndpoint, reason) => {
  const documents = [{ place: '', tree: cronJob({ schedule: '@daily' }, pod) }]
  const [note] = planCronJobs(documents, { ...OPTIONS, pingEndpoint }).notes
  if (reason === undefined) expect(note).toBeUndefined()
  else expect(note?.reason).toStartWith(reason)
})

/** The container that pings the start, as the patch has it. */
function pingContainer(pod: Pod, user: number | null = 65534) {
  const [patch] = writePatches(plan(cronJob({ schedule: '@daily' }, pod)), { image: 'curl', user }, () => URL)
  const [container] = [patch?.operations[1]?.value].flat() as readonly Pod[]
  return container ?? {}
}

test('the containers that ping fit the level "restricted", and get what the job gets of the machine', () => {
  const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '1Gi', 'nvidia.com/gpu': 1 } }
  expect(pingContainer({ containers: [{ ...CONTAINER, resources }] })).toMatchObject({
    imagePullPolicy: 'IfNotPresent',
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '1Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  })
})

test.each([
  ['none of its own', {}, {}, 65534, undefined, undefined],
  ['none, but not root', { runAsNonRoot: true }, {}, 65534, true, 65534],
  ['that of the pod', { runAsNonRoot: true, runAsUser: 1000 }, {}, 65534, true, 1000],
  ['its own', { runAsNonRoot: true }, { runAsUser: 33 }, 65534, true, 33],
  ['root in a pod without root', { runAsNonRoot: true }, { runAsNonRoot: false, runAsUser: 0 }, 65534, false, 0],
  ['that of the cluster', { runAsNonRoot: true }, {}, null, true, undefined],
])('of users, the containers that ping have that of the job: %s', (_, ofPod, own, user, isNoRoot, expected) => {
  const pod = { securityContext: ofPod, containers: [{ ...CONTAINER, securityContext: own }] }
  const { runAsNonRoot, runAsUser } = pingContainer(pod, user).securityContext as Pod
  expect([runAsNonRoot, runAsUser]).toEqual([isNoRoot, expected])
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

const kubectl = Bun.which('kubectl')
const PROXY = { name: 'HTTPS_PROXY', value: 'http://me:hunter2@proxy:3128' }
const SIDECAR = { name: 'proxy', image: 'x', restartPolicy: 'Always' }

test
  .skipIf(kubectl === null)
  .each([
    [{}],
    [{ initContainers: [{ name: 'first', image: 'x' }] }],
    [{ initContainers: [SIDECAR] }],
    [{ activeDeadlineSeconds: 60, containers: [{ ...CONTAINER, env: [...CONTAINER.env, PROXY] }] }],
  ])('kubectl takes the patch of a job with %p: the job runs between the pings', async (pod) => {
  const job = cronJob({ schedule: '@daily' }, pod)
  const [patch] = writePatches(plan(job), PINGING, () => URL)
  expect(JSON.stringify(patch)).not.toContain('hunter2')
  const folder = temporaryFolder()
  await Bun.write(folder.file('job.json'), JSON.stringify(job))
  const words = ['patch', '--local', '-f', folder.file('job.json'), '--type', 'json', '-o', 'json', '--patch']
  const child = Bun.spawn([kubectl ?? '', ...words, JSON.stringify(patch?.operations)], { stdout: 'pipe' })
  const { containers, initContainers, ...rest } = JSON.parse(await child.stdout.text()).spec.jobTemplate.spec.template
    .spec
  const names = initContainers.map(({ name }: { name: string }) => name)
  const given = ('initContainers' in pod ? pod.initContainers : undefined) ?? []
  expect(names).toEqual(['overdue-start', ...given.map(({ name }) => name), 'job'])
  const [container] = ('containers' in pod ? pod.containers : undefined) ?? [CONTAINER]
  expect(initContainers.at(-1)).toEqual(container)
  expect(containers.map(({ name }: { name: string }) => name)).toEqual(['overdue-end'])
  const proxies = container?.env.filter(({ name }) => name === 'HTTPS_PROXY') ?? []
  for (const one of [initContainers[0], containers[0]]) expect(one.env ?? []).toEqual(proxies)
  expect(rest.activeDeadlineSeconds).toBe('activeDeadlineSeconds' in pod ? 120 : undefined)
  folder.remove()
})
