/**
 * The files in `deploy/`, checked by the programs that read them: systemd, Helm, and linters with the schemas of compose files
 * and Kubernetes. `DEPLOY_TOOLS` names a folder that is searched before the PATH; `test-slow/deploy/requirements.txt` lists the
 * Python tools. A test is skipped, and says so, where its program is not installed.
 */
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderOnDisk } from '../test/support/folder.ts'
import { recordSystemCalls } from './support/system-calls.ts'

const ROOT = join(import.meta.dir, '..')
const UNIT = join(ROOT, 'deploy/single-host/overdue.service')
const COMPOSE = join(ROOT, 'deploy/container/compose.yaml')
const COMPOSE_POSTGRES = join(ROOT, 'deploy/two-instances/compose.yaml')
const CHART = join(ROOT, 'deploy/kubernetes')
const ALL_VALUES = join(import.meta.dir, 'deploy/values.yaml')
const POSTGRES = ['--set', 'database.engine=postgres', '--set', 'existingSecret=overdue']
/** Versions for which the chart is checked: the oldest supported one, and a recent one. */
const KUBERNETES = ['1.25', '1.37']
/** Highest accepted exposure level of `systemd-analyze security`, in tenths: 15 is 1.5 of 10. */
const EXPOSURE_AT_MOST = 15

const PATH = [process.env.DEPLOY_TOOLS, process.env.PATH].filter((path) => path !== undefined).join(':')
const isMissing = (program: string) => Bun.which(program, { PATH }) === null
const where = (program: string) => `(skipped where ${program} is not installed)`

interface Ran {
  readonly status: number
  readonly output: string
  readonly errors: string
}

function run(...words: readonly string[]): Ran {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { env: { ...process.env, PATH } })
  return { status: exitCode, output: stdout.toString(), errors: stderr.toString() }
}

/** Result of a successful program. A failure shows the program's output too. */
const PASSED = { status: 0, output: expect.any(String), errors: '' }

describe.skipIf(isMissing('hadolint'))(`hadolint ${where('hadolint')}`, () => {
  test('finds nothing wrong with the Dockerfile', () => {
    expect(run('hadolint', join(ROOT, 'Dockerfile'))).toEqual({ status: 0, output: '', errors: '' })
  })
})

describe('the compose file', () => {
  const { services } = Bun.YAML.parse(readFileSync(COMPOSE, 'utf8')) as { services: { overdue: object } }

  test.skipIf(isMissing('check-jsonschema'))(`fits the schema of compose files ${where('check-jsonschema')}`, () => {
    expect(run('check-jsonschema', '--builtin-schema', 'vendor.compose-spec', COMPOSE)).toEqual(PASSED)
  })

  test('drops all capabilities and makes only the volume writable', () => {
    expect(services.overdue).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      volumes: ['data:/data'],
    })
    for (const name of ['cap_add', 'privileged', 'user', 'tmpfs', 'pid', 'network_mode']) {
      expect(services.overdue).not.toHaveProperty(name)
    }
  })

  test('publishes the port on 127.0.0.1 only', () => {
    expect(services.overdue).toHaveProperty('ports', ['127.0.0.1:8000:8000'])
  })
})

describe('the compose file with PostgreSQL', () => {
  const { services } = Bun.YAML.parse(readFileSync(COMPOSE_POSTGRES, 'utf8')) as {
    services: Readonly<Record<string, object>>
  }

  test.skipIf(isMissing('check-jsonschema'))(`fits the schema of compose files ${where('check-jsonschema')}`, () => {
    expect(run('check-jsonschema', '--builtin-schema', 'vendor.compose-spec', COMPOSE_POSTGRES)).toEqual(PASSED)
  })

  test('runs two instances that differ only in their name, write nothing and publish no port', () => {
    const { overdue1 = {}, overdue2 } = services
    expect(overdue1).toMatchObject({ read_only: true, cap_drop: ['ALL'], environment: { INSTANCE_NAME: 'overdue1' } })
    for (const name of ['ports', 'volumes', 'cap_add', 'privileged', 'user']) {
      expect(overdue1).not.toHaveProperty(name)
    }
    const other = JSON.parse(
      JSON.stringify(overdue1).replace('"INSTANCE_NAME":"overdue1"', '"INSTANCE_NAME":"overdue2"'),
    )
    expect(overdue2).toEqual(other)
  })

  test('publishes only the port of the balancer, on 127.0.0.1', () => {
    const published = Object.entries(services).filter(([, service]) => 'ports' in service)
    expect(published).toEqual([['balancer', expect.objectContaining({ ports: ['127.0.0.1:8000:8000'] })]])
  })

  test.skipIf(isMissing('haproxy'))(`has a file that its balancer understands ${where('haproxy')}`, () => {
    const file = join(ROOT, 'deploy/two-instances/haproxy.cfg')
    expect(run('haproxy', '-c', '-f', file)).toMatchObject({ status: 0 })
  })

  test('has scripts that a shell can read, of which the first start runs one as a program', () => {
    for (const name of ['database.sh', 'first-start.sh']) {
      const script = join(ROOT, 'deploy/two-instances', name)
      expect(run('sh', '-n', script)).toEqual({ status: 0, output: '', errors: '' })
      expect(statSync(script).mode & 0o111).toBe(0o111)
    }
  })
})

describe('the systemd unit', () => {
  test.skipIf(isMissing('systemd-analyze'))(`passes systemd-analyze verify ${where('systemd-analyze')}`, async () => {
    const folder = folderOnDisk()
    const unit = folder.file('overdue.service')
    // The program that the unit starts has to exist.
    await Bun.write(unit, readFileSync(UNIT, 'utf8').replaceAll('/usr/local/bin/bun', process.execPath))
    const { status, errors } = run('systemd-analyze', 'verify', '--man=no', unit)
    folder.remove()
    expect({ status, ours: errors.split('\n').filter((line) => line.includes('overdue')) }).toEqual({
      status: 0,
      ours: [],
    })
  })

  test.skipIf(isMissing('systemd-analyze'))(
    `has an exposure level of at most ${EXPOSURE_AT_MOST / 10} ${where('systemd-analyze')}`,
    () => {
      const threshold = `--threshold=${EXPOSURE_AT_MOST}`
      const { status, output } = run('systemd-analyze', 'security', '--offline=true', threshold, '--no-pager', UNIT)
      expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining('Overall exposure level') })
    },
  )

  const canTrace = !isMissing('systemd-analyze') && !isMissing('strace')
  test.skipIf(!canTrace)(`allows every system call that a server makes ${where('strace')}`, async () => {
    const source = readFileSync(UNIT, 'utf8')
    const allowed = new Set<string>()
    for (const [, sign, groups = ''] of source.matchAll(/^SystemCallFilter=(~?)(.*)$/gm)) {
      for (const name of systemCallsOf(groups)) sign === '~' ? allowed.delete(name) : allowed.add(name)
    }
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(source) ?? []
    const { calls, addressFamilies } = await recordSystemCalls()
    expect(calls.length).toBeGreaterThan(30)
    expect(allowed.size).toBeGreaterThan(calls.length)
    expect(calls.filter((name) => !allowed.has(name))).toEqual([])
    expect(addressFamilies).toContain('AF_INET')
    expect(addressFamilies.filter((name) => !families.split(' ').includes(name))).toEqual([])
  })
})

/** @param groups names and systemd groups, separated by spaces: `@privileged @resources` */
function systemCallsOf(groups: string): string[] {
  return groups.split(/\s+/).flatMap((group) => {
    if (!group.startsWith('@')) return [group]
    const lines = run('systemd-analyze', 'syscall-filter', group).output.split('\n').slice(1)
    return systemCallsOf(
      lines
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
        .join(' '),
    )
  })
}

describe.skipIf(isMissing('helm'))(`the Helm chart ${where('helm')}`, () => {
  const image = ['--set', 'image.repository=registry.example.org/overdue']
  const template = (...words: string[]) => run('helm', 'template', 'o', CHART, '--kube-version', '1.37.0', ...words)

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
    const lint = (...words: string[]) => run('helm', 'lint', '--strict', '--kube-version', '1.37.0', ...words, CHART)
    expect(lint(...image)).toEqual(PASSED)
    expect(lint('--values', ALL_VALUES)).toEqual(PASSED)
    expect(lint('--values', ALL_VALUES, ...POSTGRES)).toEqual(PASSED)
  })

  test.skipIf(isMissing('kubernetes-validate'))(
    `renders resources that fit the schemas of Kubernetes ${where('kubernetes-validate')}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'overdue-chart-'))
      for (const values of [image, ['--values', ALL_VALUES], [...image, ...POSTGRES]]) {
        const file = join(folder, 'resources.yaml')
        await Bun.write(file, template(...values).output)
        for (const version of KUBERNETES) {
          const { status, output, errors } = run('kubernetes-validate', '--strict', '--no-warn', '-k', version, file)
          expect({ status, output: output + errors }).toEqual({
            status: 0,
            output: expect.stringMatching(/statefulset|deployment/),
          })
        }
      }
      rmSync(folder, { recursive: true })
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
