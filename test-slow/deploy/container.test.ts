/** The set-up `deploy/container`, read by linters with the schema of compose files. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../test/support/set-ups.ts'
import { isMissing, PASSED, run, where } from './programs.ts'

const FILE = join(ROOT, 'deploy/container/compose.yaml')

test.skipIf(isMissing('hadolint'))(`hadolint finds nothing wrong with the Dockerfile ${where('hadolint')}`, () => {
  expect(run(['hadolint', join(ROOT, 'Dockerfile')])).toEqual({ status: 0, output: '', errors: '' })
})

describe('the compose file', () => {
  const { services } = Bun.YAML.parse(readFileSync(FILE, 'utf8')) as { services: { overdue: object } }

  test.skipIf(isMissing('check-jsonschema'))(`fits the schema of compose files ${where('check-jsonschema')}`, () => {
    expect(run(['check-jsonschema', '--builtin-schema', 'vendor.compose-spec', FILE])).toEqual(PASSED)
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
