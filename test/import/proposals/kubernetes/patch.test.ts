/** CronJobs that get a patch, its changes to their pods, and that kubectl accepts it. */
import { expect, test } from 'bun:test'
import { planCronJobs, writePatches } from '../../../../src/import/proposals/kubernetes/kubernetes.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import { CONTAINER, cronJob, OPTIONS, PINGING, plan, URL } from '../cron-jobs.ts'

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
  [{ annotations: { 'dapr.io/enabled': 'true' } }, false],
  [{ annotations: { 'gke-gcsfuse/volumes': 'true' } }, false],
  [{ annotations: { 'kubectl.kubernetes.io/default-container': 'job' } }, true],
])('a job beside containers from elsewhere is not moved before them: %p', (metadata, expected) => {
  expect(hasPatch(ofTemplate(metadata))).toBe(expected)
})

test.each([
  [{ ownerReferences: [{ kind: 'Backup', name: 'a' }] }, 'The object that owns it'],
  [{ labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, 'Helm'],
  [{ annotations: { 'argocd.argoproj.io/tracking-id': 'a' } }, 'Argo CD'],
  [{ labels: { 'kustomize.toolkit.fluxcd.io/name': 'a', 'app.kubernetes.io/managed-by': 'Helm' } }, 'Flux'],
  [{ labels: { 'app.kubernetes.io/managed-by': 'me' } }, undefined],
])('who writes a CronJob again is named, since that undoes the patch: %p', (over, who) => {
  const job = cronJob({ schedule: '@daily' })
  const { notes } = plan({ ...job, metadata: { ...job.metadata, ...over } })
  const words = who === undefined ? [] : [`${who} manages it, and will undo the patch.`]
  expect(notes.map(({ reason }) => reason)).toEqual(words)
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
  ['lets a range of ports through', { egress: [{ ports: [{ port: 1, endPort: 1000 }] }, DNS] }, undefined, true],
  ['lets another range through', { egress: [{ ports: [{ port: 8000, endPort: 9000 }] }, DNS] }, 'to-do', false],
  ['lets HTTPS through by UDP only', { egress: [{ ports: [{ protocol: 'UDP', port: 443 }] }, DNS] }, 'to-do', false],
  ['lets UDP through', { egress: [{ ports: [{ protocol: 'UDP' }] }] }, 'to-do', false],
  ['lets all of TCP and UDP through', { egress: [{ ports: [{}, { protocol: 'UDP' }] }] }, undefined, true],
  ['lets DNS through by TCP only', { egress: [HTTPS, { ports: [{ port: 53 }] }] }, 'to-do', false],
  ['names a port', { egress: [{ ports: [{ port: 'https' }] }, DNS] }, 'to-do', true],
  ['lets only IPv6 through', { egress: [{ to: [{ ipBlock: { cidr: '::/0' } }] }, DNS] }, 'to-do', true],
  [
    'lets no private addresses through',
    { egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }] }, DNS] },
    'to-do',
    true,
  ],
  ['lets one address through', { egress: [{ to: [{ ipBlock: { cidr: '192.0.2.7/32' } }] }] }, 'to-do', true],
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

test('a policy that closes everything may not hold for pods in the network of their node', () => {
  const metadata = { name: 'deny' }
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: { egress: [] } }
  const job = cronJob({ schedule: '@daily' }, { hostNetwork: true })
  expect(plan(policy, job).notes).toMatchObject([{ kind: 'to-do', reason: expect.stringContaining('node') }])
  expect(hasPatch(policy, job)).toBe(true)
})

test('a policy of another namespace does not count, and one of another kind is named', () => {
  const metadata = { name: 'deny', namespace: 'test' }
  const policy = { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata, spec: { egress: [] } }
  expect(hasPatch(policy, ofTemplate({}))).toBe(true)
  const { notes } = plan({ apiVersion: 'cilium.io/v2', kind: 'CiliumNetworkPolicy', metadata }, ofTemplate({}))
  expect(notes).toMatchObject([{ kind: 'to-do', name: 'CiliumNetworkPolicy deny' }])
})

test.each([
  [{ dnsPolicy: 'None' }, 'https://overdue.example.org/ping/', 'Its pods use their own DNS servers.'],
  [{ hostNetwork: true }, 'http://overdue.tools.svc:8000/ping/', 'Its pods use the DNS servers of their node'],
  [{}, 'http://localhost:8000/ping/', 'Its pods cannot reach localhost.'],
  [{ hostNetwork: true }, 'https://overdue.example.org/ping/', undefined],
  [{ dnsPolicy: 'None' }, 'http://192.0.2.1:8000/ping/', undefined],
  [
    { hostAliases: [{ ip: '192.0.2.9', hostnames: ['db', 'overdue.example.org'] }] },
    'https://overdue.example.org/ping/',
    'Its hostAliases give overdue.example.org the address 192.0.2.9.',
  ],
  [
    { dnsPolicy: 'None', hostAliases: [{ ip: '192.0.2.9', hostnames: ['overdue.example.org'] }] },
    'https://overdue.example.org/ping/',
    'Its hostAliases give',
  ],
  [{ hostAliases: [{ ip: '192.0.2.9', hostnames: ['db'] }] }, 'https://overdue.example.org/ping/', undefined],
  [{ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, 'http://overdue.tools.svc:8000/ping/', undefined],
])('pods with %p that ping %s', (pod, pingEndpoint, reason) => {
  const documents = [{ place: '', tree: cronJob({ schedule: '@daily' }, pod) }]
  const [note] = planCronJobs(documents, { ...OPTIONS, pingEndpoint }).notes
  if (reason === undefined) expect(note).toBeUndefined()
  else expect(note?.reason).toStartWith(reason)
})

test.each([
  [{ dnsPolicy: 'None' }, 'https://overdue.example.org/ping/', 'It names none'],
  [
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['8.8.8.8', '2606:4700:4700::1111'] } },
    'http://overdue.tools.svc:8000/ping/',
    'These do not resolve overdue.tools.svc',
  ],
  [
    { hostAliases: [{ ip: '127.0.0.1', hostnames: ['Overdue.example.org'] }] },
    'https://overdue.example.org/ping/',
    'the address 127.0.0.1, that of the pod itself',
  ],
])('pods with %p never reach %s, so no patch is written', (pod, pingEndpoint, reason) => {
  const planned = planCronJobs([{ place: '', tree: cronJob({ schedule: '@daily' }, pod) }], {
    ...OPTIONS,
    pingEndpoint,
  })
  expect(planned.checks).toHaveLength(1)
  expect(planned.notes).toMatchObject([{ kind: 'to-do', reason: expect.stringContaining(reason) }])
  expect(planned.patchable.size).toBe(0)
})

test('pods with DNS servers of their own that may know the server get a patch', () => {
  const pod = { dnsPolicy: 'None', dnsConfig: { nameservers: ['10.0.0.10'] } }
  expect(hasPatch(cronJob({ schedule: '@daily' }, pod))).toBe(true)
})

test.each([
  ['* * * * *', 'Forbid', 'skips the next one'],
  ['@every 1m', 'Replace', 'is ended by the next one'],
  ['* * * * *', 'Allow', undefined],
  ['CRON_TZ=Asia/Tokyo 0-59/2 * * * *', 'Forbid', 'skips the next one'],
  ['*/15 * * * *', 'Forbid', undefined],
])('a run at %s with concurrencyPolicy %s may be too long with its pings', (schedule, concurrencyPolicy, words) => {
  const { notes } = plan(cronJob({ schedule, concurrencyPolicy }))
  expect(notes).toHaveLength(words === undefined ? 0 : 1)
  if (words !== undefined) expect(notes[0]?.reason).toContain(words)
})

/** Returns the container of the patch that pings the start. */
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

test('a ping that fails does not make the job fail', async () => {
  const patch = JSON.stringify(writePatches(plan(cronJob({ schedule: '@daily' })), PINGING, () => URL))
  const commands = [...patch.matchAll(/"command":(\[.*?\])/g)].map(([, words = '']) => JSON.parse(words))
  // Without curl, which fails at once.
  const children = commands.map((words) => Bun.spawn(words, { env: { PATH: '/nowhere' }, stderr: 'ignore' }))
  expect(await Promise.all(children.map(({ exited }) => exited))).toEqual([0, 0])
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
