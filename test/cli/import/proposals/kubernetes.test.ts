/** `overdue import kubernetes` with the wrapper: its output for a shell, and its refusals. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { scriptText } from '../../../../src/domain/ping/script-text.ts'
import { run } from '../../../support/command-line.ts'
import { folderOnDisk } from '../../../support/folder.ts'

const SETTINGS = { SITE_ROOT: 'https://overdue.example.org', PING_BODY_LIMIT: '5000' }
const job = (name: string, namespace: string) =>
  `kind: CronJob\nmetadata: {name: ${name}, namespace: "${namespace}"}\nspec: {schedule: "@daily", jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: alpine, command: [/opt/job]}]}}}}}\n`
const JOBS = [job('a', '1e3'), job('b', '1e3')].join('---\n')

test('a shell that reads the output makes the ConfigMap of each namespace, and then patches the jobs', async () => {
  const { code, out, err } = await run(['import', 'kubernetes', '-'], SETTINGS, JOBS)
  expect(code).toBe(0)
  expect(err).toContain('Without the ConfigMap, no job starts.')
  const folder = folderOnDisk()
  // The program writes the commands, one a line, and the input of the first one.
  const program = `#!/bin/sh\necho "$1 $2" >>'${folder.file('calls')}'\n[ "$1" != apply ] || cat >'${folder.file('map')}'\n`
  writeFileSync(folder.file('kubectl'), program, { mode: 0o755 })
  const env = { PATH: `${folder.path}:${process.env.PATH}` }
  const child = Bun.spawn(['sh'], { stdin: Buffer.from(out), env })
  expect(await child.exited).toBe(0)
  expect(await Bun.file(folder.file('calls')).text()).toBe('apply --filename\npatch cronjob\npatch cronjob\n')
  expect(Bun.YAML.parse(await Bun.file(folder.file('map')).text())).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'overdue-run', namespace: '1e3' },
    data: { 'overdue-run': scriptText('https://overdue.example.org', 5000) },
  })
  folder.remove()
})

test('JSON has the objects beside the patches, and none where containers ping', async () => {
  const objects = async (...words: readonly string[]) =>
    JSON.parse((await run(['import', 'kubernetes', '-', '--json', ...words], SETTINGS, JOBS)).out)
  expect(await objects()).toMatchObject({
    config_maps: [{ kind: 'ConfigMap', metadata: { namespace: '1e3' } }],
    patches: [{ name: 'a' }, { name: 'b' }],
  })
  expect(await objects('--with', 'curl')).toMatchObject({ config_maps: [], patches: [{ name: 'a' }, { name: 'b' }] })
})

test('another program that pings is refused', async () => {
  const { code, err } = await run(['import', 'kubernetes', '-', '--with', 'overdue'], SETTINGS, JOBS)
  expect([code, err]).toEqual([2, expect.stringContaining('use overdue-run, curl')])
})
