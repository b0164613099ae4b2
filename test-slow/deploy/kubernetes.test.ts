/** The set-up `deploy/kubernetes`, a chart that Helm renders and linters with the schemas of Kubernetes read. */
import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { folderOnDisk } from '../../test/support/folder.ts'
import { commandsOf, ROOT } from '../../test/support/set-ups.ts'
import { isMissing, PASSED, run, where } from './programs.ts'

const CHART = join(ROOT, 'deploy/kubernetes')
const ALL_VALUES = join(import.meta.dir, 'values.yaml')
const POSTGRES = ['--set', 'database.engine=postgres', '--set', 'existingSecret=overdue']
/** Versions for which the chart is checked: the oldest supported one, and a recent one. */
const KUBERNETES = ['1.25', '1.37']

describe.skipIf(isMissing('helm'))(`the Helm chart ${where('helm')}`, () => {
  const image = ['--set', 'image.repository=registry.example.org/overdue']
  const template = (...words: string[]) => run(['helm', 'template', 'o', CHART, '--kube-version', '1.37.0', ...words])

  interface Resource {
    readonly kind: string
    readonly metadata: { readonly name: string }
    readonly spec: { readonly [name: string]: unknown }
  }

  function render(...words: string[]): Resource[] {
    const { status, output, errors } = template(...words)
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
    return Bun.YAML.parse(output) as Resource[]
  }

  test('passes the linter, with the default values and with every value set', () => {
    const lint = (...words: string[]) => run(['helm', 'lint', '--strict', '--kube-version', '1.37.0', ...words, CHART])
    expect(lint(...image)).toEqual(PASSED)
    expect(lint('--values', ALL_VALUES)).toEqual(PASSED)
    expect(lint('--values', ALL_VALUES, ...POSTGRES)).toEqual(PASSED)
  })

  test.skipIf(isMissing('kubernetes-validate'))(
    `renders resources that fit the schemas of Kubernetes ${where('kubernetes-validate')}`,
    async () => {
      const folder = folderOnDisk()
      for (const values of [image, ['--values', ALL_VALUES], [...image, ...POSTGRES]]) {
        const file = folder.file('resources.yaml')
        await Bun.write(file, template(...values).output)
        for (const version of KUBERNETES) {
          const { status, output, errors } = run(['kubernetes-validate', '--strict', '--no-warn', '-k', version, file])
          expect({ status, output: output + errors }).toEqual({
            status: 0,
            output: expect.stringMatching(/statefulset|deployment/),
          })
        }
      }
      folder.remove()
    },
  )

  test('renders a StatefulSet and a Service, and other resources only when they are enabled', () => {
    expect(render(...image).map(({ kind }) => kind)).toEqual(['Service', 'StatefulSet'])
    const kinds = ['Service', 'Service', 'StatefulSet', 'Ingress', 'ServiceMonitor']
    expect(render('--values', ALL_VALUES).map(({ kind }) => kind)).toEqual(kinds)
  })

  test('runs one server without capabilities, with a writable volume and nothing else writable', () => {
    for (const values of [image, ['--values', ALL_VALUES]]) {
      const spec = render(...values).find(({ kind }) => kind === 'StatefulSet')?.spec
      expect(spec).toMatchObject({
        replicas: 1,
        template: {
          spec: {
            automountServiceAccountToken: false,
            securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                securityContext: {
                  allowPrivilegeEscalation: false,
                  readOnlyRootFilesystem: true,
                  capabilities: { drop: ['ALL'] },
                },
                volumeMounts: [{ name: 'data', mountPath: '/data' }],
                livenessProbe: { httpGet: { path: '/healthz' } },
                readinessProbe: { httpGet: { path: '/readyz' } },
              },
            ],
          },
        },
      })
    }
  })

  test('on PostgreSQL, runs several pods apart from each other, and never ends all of them', () => {
    const resources = render(...image, ...POSTGRES)
    expect(resources.map(({ kind }) => kind)).toEqual(['PodDisruptionBudget', 'Service', 'Deployment'])
    const [budget, service, deployment] = resources.map(({ spec }) => spec)
    const term = (topologyKey: string) =>
      expect.objectContaining({ podAffinityTerm: expect.objectContaining({ topologyKey }) })
    const url = { secretKeyRef: { name: 'overdue', key: 'DATABASE_URL' } }
    expect(budget).toMatchObject({ maxUnavailable: 1 })
    expect(service).not.toHaveProperty('publishNotReadyAddresses')
    expect(deployment).toMatchObject({
      replicas: 2,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        spec: {
          securityContext: { runAsNonRoot: true },
          affinity: {
            podAntiAffinity: {
              preferredDuringSchedulingIgnoredDuringExecution: [
                term('kubernetes.io/hostname'),
                term('topology.kubernetes.io/zone'),
              ],
            },
          },
          containers: [
            {
              securityContext: { readOnlyRootFilesystem: true },
              env: [
                { name: 'DATABASE_URL', valueFrom: url },
                { name: 'DRAIN_SECONDS', value: '5' },
                { name: 'SITE_ROOT', value: 'http://localhost:8000' },
              ],
              readinessProbe: { httpGet: { path: '/healthz' } },
            },
          ],
        },
      },
    })
    expect(deployment).not.toHaveProperty('template.spec.containers.0.volumeMounts')
    expect(deployment).not.toHaveProperty('template.spec.volumes')
  })

  test('on PostgreSQL, a pod has time to stop after it has drained', () => {
    const spec = render(...image, ...POSTGRES, '--set', 'drainSeconds=20').find(
      ({ kind }) => kind === 'Deployment',
    )?.spec
    expect(spec).toHaveProperty('template.spec.terminationGracePeriodSeconds', 35)
  })

  test('one pod on PostgreSQL may be ended to empty its machine', () => {
    const kinds = render(...image, ...POSTGRES, '--set', 'replicas=1').map(({ kind }) => kind)
    expect(kinds).toEqual(['Service', 'Deployment'])
  })

  test('passes settings on as strings, whatever their values', () => {
    const spec = render('--values', ALL_VALUES).find(({ kind }) => kind === 'StatefulSet')?.spec
    expect(spec).toMatchObject({
      template: {
        spec: {
          containers: [
            {
              env: [
                { name: 'PING_BODY_LIMIT', value: '2621440' },
                { name: 'PING_EMAIL_DOMAIN', value: 'ping.example.org' },
                { name: 'PROMETHEUS_ENABLED', value: 'false' },
                { name: 'SITE_NAME', value: 'Ops "night": #1' },
                { name: 'SITE_ROOT', value: 'https://overdue.example.org' },
                { name: 'SMTPD_PORT', value: '2525' },
              ],
              envFrom: [{ secretRef: { name: 'overdue' } }],
            },
          ],
        },
      },
    })
  })

  test('gives Prometheus the metrics key from the secret', () => {
    const monitor = render('--values', ALL_VALUES).find(({ kind }) => kind === 'ServiceMonitor')
    const credentials = { name: 'overdue', key: 'METRICS_KEY' }
    expect(monitor?.spec.endpoints).toEqual([
      { port: 'http', path: '/metrics', interval: '30s', authorization: { credentials } },
    ])
  })

  test('has the resources that the commands of its README name', () => {
    const [, install = '', logs = ''] = commandsOf('kubernetes')
    const [, , release = '', ...words] = install
      .replaceAll('deploy/kubernetes', CHART)
      .replace('--wait ', '')
      .split(' ')
    const { status, output, errors } = run(['helm', 'template', release, '--kube-version', '1.37.0', ...words])
    expect({ status, errors }).toEqual({ status: 0, errors: '' })
    const resources = Bun.YAML.parse(output) as Resource[]
    const names = resources.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`)
    expect(names).toContain('service/overdue')
    expect(names).toContain(logs.split(' ').at(-1) ?? '')
    expect(output).toContain('image: "overdue:try"')
  })

  test.each([
    ['no image', [], 'image.repository is not set'],
    ['a port that the chart itself decides', [...image, '--set', 'config.PORT=80'], 'PORT'],
    ['metrics without a key', [...image, '--set', 'serviceMonitor.enabled=true'], 'needs existingSecret'],
    ['email pings without a domain', [...image, '--set', 'mail.enabled=true'], 'needs config.PING_EMAIL_DOMAIN'],
    ['PostgreSQL without a URL', [...image, '--set', 'database.engine=postgres'], 'needs existingSecret'],
    ['a URL for a file', [...image, '--set', 'database.url=postgres://a/b'], 'needs database.engine=postgres'],
    ['a URL of another kind', [...image, '--set', 'database.url=mysql://a/b'], 'url'],
    ['a value that it does not know', [...image, '--set', 'replicaCount=2'], 'replicaCount'],
  ])('rejects %s with a message', (_, words, message) => {
    const { status, errors } = template(...words)
    expect(status).toBe(1)
    expect(errors).toContain(message)
  })
})
