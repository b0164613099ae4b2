import { describe, expect, test } from 'bun:test'
import { launchersOf } from '../../../src/cli/terminal/package-runners.ts'

/** @param lines command lines of the ancestors, the parent first */
const launchers = (script: string, ...lines: string[][]) =>
  launchersOf(
    lines.map((words, index) => ({ pid: index + 100, words })),
    script,
  ).map(({ pid }) => pid - 100)

const BUN = ['bun', 'start']
const NPX_SHELL = ['sh', '-c', "'bun' start"]
const NPX = ['npm exec bun@1.4.5 start']

describe('the launcher', () => {
  test('is the runner of the script', () => {
    expect(launchers('start', ['bun', 'run', 'start'])).toEqual([0])
    expect(launchers('overdue', ['/usr/local/bin/bun', 'run', 'overdue', 'serve'])).toEqual([0])
    expect(launchers('start', ['node_modules/bun/bin/bun.exe', 'run', 'start'])).toEqual([0])
    expect(launchers('start', ['npm start'], ['-bash'])).toEqual([0])
    expect(launchers('start', ['node', '/usr/lib/node_modules/pnpm/bin/pnpm.cjs', 'start'])).toEqual([0])
    expect(launchers('start', ['node', '/usr/lib/node_modules/npm/bin/npm-cli.js', 'start'])).toEqual([0])
  })

  test('is also the runner of the runner, with the shells between them', () => {
    expect(launchers('start', BUN, NPX_SHELL, NPX, ['bash'], ['systemd'])).toEqual([0, 1, 2])
    expect(launchers('start', ['sh', '-c', 'bun src/main.ts serve'], ['npm start'])).toEqual([0, 1])
  })

  test.each([
    ['a shell that somebody types into', ['-bash']],
    ['a shell that runs a script', ['/bin/sh', './start-all.sh']],
    ['a shell that runs one command, as cron starts it', ['/bin/sh', '-c', 'cd /opt/overdue && bun start']],
    ['a service manager', ['/lib/systemd/systemd', '--system']],
    ['the first process of a container', ['/sbin/docker-init', '--', 'bun', 'start']],
    ['a program on Bun that starts servers', ['bun', 'manager.ts']],
    ['a program that is called like the script', ['/opt/start', 'start']],
    ['nobody that can be read', []],
  ])('is not %s', (_, words) => {
    expect(launchers('start', BUN, words)).toEqual([0])
    expect(launchers('start', words)).toEqual([])
    expect(launchers('start', BUN, NPX_SHELL, NPX, words)).toEqual([0, 1, 2])
  })

  test('is empty in a shell that a runner of another script opened', () => {
    expect(launchers('shell', ['bash'], ['npm run shell'])).toEqual([])
  })
})
