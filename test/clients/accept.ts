/** Runs real clients of the API and of ping URLs against a real server: `bun run test:clients` installs them first. */
import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS, clientFixture } from './fixture.ts'

const HERE = import.meta.dir

const c = clientFixture()

const python = (...words: readonly string[]) => [join(CLIENTS, 'venv/bin/python'), ...words]

describe('from a shell', () => {
  test('curl pings with every form of the URL', async () => {
    const uuid = await c.createCheck('curl')
    const url = `${c.baseUrl}/ping/${uuid}`
    await c.run(['curl', '-fsS', '-m', '10', '--retry', '5', '-o', '/dev/null', url])
    await c.run(['curl', '-fsS', '--data-raw', 'hello', url])
    const head = await c.run(['curl', '-sI', url])
    expect(head.toLowerCase()).toContain('ping-body-limit: 10000')
    await c.run(['curl', '-fsS', `${url}/7`])
    await c.run(['sh', '-c', `printf x | curl -fsS --data-binary @- ${url}/log`])
    await c.run(['curl', '-fsS', `${c.baseUrl}/ping/${c.pingKey}/curl/start?rid=${crypto.randomUUID()}`])
    expect(await c.pings(uuid)).toEqual([
      'success GET',
      'success POST',
      'success HEAD',
      'fail GET',
      'log POST',
      'start GET',
    ])
  })

  test('wget pings', async () => {
    const uuid = await c.createCheck('wget')
    await c.run(['wget', '-q', '-T', '10', '-t', '5', '-O', '/dev/null', `${c.baseUrl}/ping/${uuid}`])
    expect(await c.pings(uuid)).toEqual(['success GET'])
  })
})

describe('in Python', () => {
  test.each(['1', '3'])('healthchecks-io makes every call of the API v%s', async (version) => {
    expect(await c.run(python(join(HERE, 'call_healthchecks_io.py'), version))).toBe('passed\n')
  })

  test('healthchecks-decorator reports a job that succeeds and one that fails', async () => {
    const uuid = await c.createCheck('decorator')
    await c.run(python(join(HERE, 'call_decorator.py')), { HEALTHCHECK_URL: `${c.baseUrl}/ping/${uuid}` })
    const types = (await c.logged(uuid)).map(({ type }) => type)
    expect(types).toEqual(['start', 'success', 'start', 'fail'])
  })
})

test('in Node, healthchecks-io-client makes every call of the API v1, v2 and v3', async () => {
  const out = await c.run(['node', join(HERE, 'call-healthchecks-io-client.cjs')])
  const expected = [1, 2, 3].map((version) => ({
    answers: ['OK', 'OK', 'OK'],
    found: [`node-${version}`],
    pings: ['fail', 'success', 'start'],
    flips: [0, 1],
    channels: 0,
    paused: 'paused',
    deleted: `node-${version}`,
  }))
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(expected)
})

test('borgmatic reports backups to an existing check and to one that it creates', async () => {
  const uuid = await c.createCheck('borg')
  const config = (name: string, url: string, more = '') => {
    const path = join(c.folder, `${name}.yaml`)
    const repository = join(c.folder, `${name}.borg`)
    writeFileSync(
      path,
      `source_directories: [${HERE}]
repositories: [{path: ${repository}}]
encryption_passphrase: secret
healthchecks: {ping_url: "${url}", send_logs: true, states: [start, finish, fail, log]${more}}
`,
    )
    return path
  }
  const borgmatic = [join(CLIENTS, 'venv/bin/borgmatic'), '-c']
  const known = config('known', `${c.baseUrl}/ping/${uuid}`)
  await c.run([...borgmatic, known, 'repo-create', '-e', 'repokey'])
  await c.run([...borgmatic, known, 'create'])
  const types = await c.pings(uuid)
  expect(types.filter((type) => type === 'success POST').length).toBeGreaterThan(0)
  expect(types).toContain('start POST')
  expect(types).toContain('log POST')
  expect((await c.logged(uuid)).at(-1)?.body_url).not.toBeNull()

  const made = config('made', `${c.baseUrl}/ping/${c.pingKey}/borg-made`, ', create_slug: true')
  await c.run([...borgmatic, made, 'repo-create', '-e', 'repokey'])
  await c.run([...borgmatic, made, 'create'])
  expect(await c.pings(await c.uuidOf('borg-made'))).toContain('success POST')
})
