/** The set-up `deploy/single-host`: the script installs below a folder, and systemd reads the unit. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { ROOT } from '../../test/support/set-ups.ts'
import { recordSystemCalls } from '../support/system-calls.ts'
import { isMissing, PASSED, run, where } from './programs.ts'

const FOLDER = join(ROOT, 'deploy/single-host')
const UNIT = join(FOLDER, 'overdue.service')
/** Highest accepted exposure level of `systemd-analyze security`, in tenths: 15 is 1.5 of 10. */
const EXPOSURE_AT_MOST = 15
/** The files of the repository that the script needs. */
const CLONED = ['package.json', 'bun.lock', 'schema.sql', 'src', 'README.md', 'CHANGELOG.md', 'docs', 'deploy']

describe('install.sh', () => {
  let machine: Folder
  let clone: Folder
  const install = () => run([clone.file('deploy/single-host/install.sh')], { DESTDIR: machine.path })

  beforeAll(() => {
    machine = folderOnDisk()
    clone = folderOnDisk()
    for (const name of CLONED) cpSync(join(ROOT, name), clone.file(name), { recursive: true })
    expect(run(['chmod', '-R', 'go=', clone.path])).toEqual(PASSED)
    // The runtime of the tests, so that npm need not download it.
    const runtime = machine.file('usr/local/bin/bun')
    mkdirSync(dirname(runtime), { recursive: true })
    symlinkSync(process.execPath, runtime)
    expect(install()).toMatchObject({ status: 0 })
  })
  afterAll(() => {
    for (const folder of [machine, clone]) folder.remove()
  })

  test('installs a program that runs without the repository, and the unit that starts it', () => {
    const [, main = ''] = /^ExecStart=\S+ (\S+) serve$/m.exec(readFileSync(UNIT, 'utf8')) ?? []
    const program = [process.execPath, join(machine.path, main)]
    expect(run([...program, 'check-config'], { DATABASE_URL: `sqlite:${machine.file('o.db')}` })).toEqual(PASSED)
    expect(readFileSync(machine.file('etc/systemd/system/overdue.service'))).toEqual(readFileSync(UNIT))
    expect(statSync(machine.file('etc/overdue/overdue.env'))).toMatchObject({ size: 0, mode: 0o100600 })
  })

  test('lets every user read the program of a clone that only its owner may read', () => {
    expect(run(['find', machine.file('opt/overdue'), '!', '-perm', '-a+r'])).toEqual({ ...PASSED, output: '' })
    expect(run(['find', machine.file('opt/overdue'), '-type', 'd', '!', '-perm', '-a+x'])).toEqual({
      ...PASSED,
      output: '',
    })
  })

  test('replaces the program, and keeps settings and a database beside it', () => {
    const [settings, database] = [machine.file('etc/overdue/overdue.env'), machine.file('opt/overdue/data/overdue.db')]
    const former = machine.file('opt/overdue/src/former.ts')
    mkdirSync(dirname(database))
    for (const path of [settings, database, former]) writeFileSync(path, 'SITE_ROOT=https://overdue.example.org')
    expect(install()).toMatchObject({ status: 0 })
    expect([settings, database, former, machine.file('opt/overdue.new')].map((path) => existsSync(path))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(readFileSync(settings, 'utf8')).toBe('SITE_ROOT=https://overdue.example.org')
  })
})

describe('the systemd unit', () => {
  test.skipIf(isMissing('systemd-analyze'))(`passes systemd-analyze verify ${where('systemd-analyze')}`, async () => {
    const folder = folderOnDisk()
    const unit = folder.file('overdue.service')
    // The program that the unit starts has to exist.
    await Bun.write(unit, readFileSync(UNIT, 'utf8').replaceAll('/usr/local/bin/bun', process.execPath))
    const { status, errors } = run(['systemd-analyze', 'verify', '--man=no', unit])
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
      const { status, output } = run(['systemd-analyze', 'security', '--offline=true', threshold, '--no-pager', UNIT])
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
    const lines = run(['systemd-analyze', 'syscall-filter', group]).output.split('\n').slice(1)
    return systemCallsOf(
      lines
        .map((line) => line.trim())
        .filter((line) => line !== '' && !line.startsWith('#'))
        .join(' '),
    )
  })
}
