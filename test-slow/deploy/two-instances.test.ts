/** The files of the set-up `deploy/two-instances`, read by HAProxy, a shell and a linter. `instances/set-up.test.ts` runs it. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { folderOnDisk } from '../../test/support/folder.ts'
import { commandsOf, ROOT } from '../../test/support/set-ups.ts'
import { isMissing, PASSED, run, where } from './programs.ts'

const FOLDER = join(ROOT, 'deploy/two-instances')
const FILE = join(FOLDER, 'compose.yaml')

describe('the compose file', () => {
  const { services } = Bun.YAML.parse(readFileSync(FILE, 'utf8')) as {
    services: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }

  test.skipIf(isMissing('check-jsonschema'))(`fits the schema of compose files ${where('check-jsonschema')}`, () => {
    expect(run(['check-jsonschema', '--builtin-schema', 'vendor.compose-spec', FILE])).toEqual(PASSED)
  })

  test('runs two instances that differ only in their name, write nothing and publish no port', () => {
    const { overdue1 = {}, overdue2 = {} } = services
    expect(overdue1).toMatchObject({ read_only: true, cap_drop: ['ALL'], environment: { INSTANCE_NAME: 'overdue1' } })
    for (const name of ['ports', 'volumes', 'cap_add', 'privileged', 'user']) {
      expect(overdue1).not.toHaveProperty(name)
    }
    const { build: _build, ...first } = overdue1
    const { pull_policy: _policy, depends_on: _first, ...second } = overdue2
    const renamed = JSON.stringify(first).replace('"INSTANCE_NAME":"overdue1"', '"INSTANCE_NAME":"overdue2"')
    expect(second).toEqual(JSON.parse(renamed))
  })

  test('builds their image once', () => {
    const { overdue1, overdue2 } = services
    expect(overdue1).toMatchObject({ image: 'overdue', build: '../..' })
    expect(overdue2).toMatchObject({ image: 'overdue', pull_policy: 'never', depends_on: ['overdue1'] })
    expect(overdue2).not.toHaveProperty('build')
  })

  test('publishes only the port of the balancer, on 127.0.0.1', () => {
    const published = Object.entries(services).filter(([, service]) => 'ports' in service)
    expect(published).toEqual([['balancer', expect.objectContaining({ ports: ['127.0.0.1:8000:8000'] })]])
  })

  test.skipIf(isMissing('haproxy'))(`has a file that its balancer understands ${where('haproxy')}`, () => {
    const file = join(FOLDER, 'haproxy.cfg')
    expect(run(['haproxy', '-c', '-f', file])).toMatchObject({ status: 0 })
  })

  test('has scripts that a shell can read, of which the first start runs one as a program', () => {
    for (const name of ['database.sh', 'first-start.sh']) {
      const script = join(FOLDER, name)
      expect(run(['sh', '-n', script])).toEqual({ status: 0, output: '', errors: '' })
      expect(statSync(script).mode & 0o111).toBe(0o111)
    }
  })
})

test.skipIf(isMissing('openssl'))(`settings are kept if there are some ${where('openssl')}`, () => {
  const [makeSettings] = commandsOf('two-instances')
  const folder = folderOnDisk()
  const settings = folder.file('deploy/two-instances/.env')
  mkdirSync(folder.file('deploy/two-instances'), { recursive: true })
  const make = () => run(['sh', '-c', `cd ${folder.path} && ${makeSettings}`])
  expect(make()).toEqual({ status: 0, output: '', errors: '' })
  const made = readFileSync(settings, 'utf8')
  expect(made).toMatch(/^SITE_ROOT=http:\/\/localhost:8000\nPOSTGRES_PASSWORD=[\da-f]{48}\n$/)
  expect(statSync(settings).mode & 0o077).toBe(0)
  expect(make().status).not.toBe(0)
  expect(readFileSync(settings, 'utf8')).toBe(made)
  folder.remove()
})
