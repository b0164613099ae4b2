/** Runs the example in the help of each command in a shell. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OPERATOR, operatorIn } from '../../src/domain/actor.ts'
import { createAccount } from '../../src/services/accounts/accounts.ts'
import { setMember } from '../../src/services/accounts/members.ts'
import { createChannel } from '../../src/services/channels.ts'
import { createProject } from '../../src/services/projects.ts'
import { type Folder as Files, temporaryFolder } from '../support/folder.ts'
import { SECRET, sqliteFixture } from '../support/healthchecks/fixture.ts'
import { FROM_SOURCE, type Served, serve } from '../support/served.ts'
import { webhook } from '../support/store-builders.ts'
import { testApp } from '../support/test-app.ts'
import { createKumaFile } from '../support/uptime-kuma.ts'
import { type Folder, folder, run } from './support.ts'

let place: Folder
let files: Files
let server: Served
beforeAll(async () => {
  place = folder()
  files = temporaryFolder()
  server = await serve()
  const words = [...FROM_SOURCE.command.slice(0, -1), join(FROM_SOURCE.cwd, 'src/main.ts')]
  writeFileSync(join(place.path, 'overdue'), `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`, {
    mode: 0o755,
  })
})
afterAll(async () => {
  await server.stop()
  place.remove()
  files.remove()
})

/** They run until stopped, use a fixed port, or need a mail server or a receiver. */
const NOT_RUN = new Set(['serve', 'health', 'mail test', 'channel test'])

/** They create the account that others name. */
const WITHOUT_ACCOUNT = new Set(['account link', 'account create'])

/** Creates a database with everything that the example names. @returns the ids for those that examples make up */
async function prepare(url: string, command: string): Promise<{ key: string; delivery: string }> {
  const t = await testApp({ env: { DATABASE_URL: url } })
  const { project, keys } = await createProject(t.app.deps, 'Default')
  await createChannel(t.app.deps, operatorIn(project), { kind: 'webhook', name: 'Ops', settings: webhook() })
  if (!WITHOUT_ACCOUNT.has(command)) {
    const { account } = await createAccount(t.app.deps, OPERATOR, 'jane@example.org', false)
    await setMember(t.app.deps, operatorIn(project), account.id, 'member')
  }
  const json = { name: 'Backup', slug: 'backup', channels: '*' }
  const made = await t.json<{ uuid: string }>('POST', '/api/v3/checks/', { key: keys.apiKey, json })
  t.answerWith({ kind: 'unreachable', error: 'gone', permanent: true })
  await t.call('GET', `/ping/${made.uuid}/fail`)
  await t.app.settle('deliveries')
  const [failed] = await t.app.deps.store.listDeliveries(project.id, 'failed', 1)
  await t.close()
  return { key: keys.apiKey.slice(0, 8), delivery: failed?.delivery.id.slice(0, 8) ?? '' }
}

test('every example works', async () => {
  const help: { command: string; example: string }[] = JSON.parse((await run(['help', '--json'])).out)
  expect(help.length).toBeGreaterThan(30)
  for (const { command, example } of help.filter(({ command }) => !NOT_RUN.has(command))) {
    const home = folder()
    const { key, delivery } = await prepare(home.url, command)
    const isPing = command === 'ping'
    if (isPing) await server.overdue('check', 'create', '--project', 'Default', '--name', 'Backup', '--slug', 'backup')
    if (command === 'restore')
      expect((await run(['backup', `${home.path}/b.db`], { DATABASE_URL: home.url })).code).toBe(0)
    if (command === 'check resume') {
      await run(['check', 'pause', 'backup', '--project', 'Default'], { DATABASE_URL: home.url })
    }
    if (command === 'import project') {
      await run(['project', 'export', 'Default', '--output', `${home.path}/default.json`], { DATABASE_URL: home.url })
    }
    if (command === 'import healthchecks') {
      const file = sqliteFixture(files)
      // Or the command warns of it.
      chmodSync(file, 0o600)
      renameSync(file, `${home.path}/hc.sqlite`)
      writeFileSync(`${home.path}/secret`, SECRET)
    }
    if (command === 'import uptime-kuma') {
      createKumaFile(`${home.path}/kuma.db`, 2).withPush().close()
      chmodSync(`${home.path}/kuma.db`, 0o600)
    }
    const line = example
      .replace('odw_1a2b', key)
      .replace('1a2b3c4d', delivery)
      .replaceAll('/old/', `${home.path}/`)
      .replace('/backups/overdue.db', `${home.path}/b.db`)
      .replace('sqlite:/data/overdue.db', `sqlite:${home.path}/o.db`)
      .replace('kuma.db', `${home.path}/kuma.db`)
      .replace('default.json', `${home.path}/default.json`)
      .replace(/postgres:\S+/, `sqlite:${home.path}/copy.db`)
      .replace('--name Ops', command === 'channel create' ? '--name Email' : '--name Ops')
    const settings = isPing
      ? { DATABASE_URL: server.databaseUrl, SITE_ROOT: server.baseUrl }
      : { DATABASE_URL: command === 'restore' ? `sqlite:${home.path}/new.db` : home.url }
    const child = Bun.spawn(['sh', '-c', line], {
      env: { ...settings, PATH: `${place.path}:${process.env.PATH}` },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const err = await child.stderr.text()
    expect({ example, code: await child.exited, err }).toEqual({ example, code: 0, err: '' })
    home.remove()
  }
}, 240_000)
