/** Lines that Overdue offers, on machines and with jobs that make it hard for them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { CURL_END, CURL_START } from '../../src/domain/ping/curl.ts'
import { SNIPPETS } from '../../src/http/web/parts/snippets.ts'
import { Temporal } from '../../src/lib/time.ts'
import { type Folder, folderOnDisk } from '../../test/support/folder.ts'
import { freePort } from '../../test/support/free-port.ts'
import { type ScriptedServer, scriptedServer } from './scripted-server.ts'
import { unitCommands } from './unit-commands.ts'

let server: ScriptedServer
let folder: Folder
beforeAll(async () => {
  server = await scriptedServer()
  folder = folderOnDisk()
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const TIMING = { kind: 'cron', schedule: '30 3 * * *', timeoutSeconds: 60, tz: 'Europe/Riga' } as const
const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')
const isMissing = (program: string) => Bun.which(program) === null
const endingsAt = (name: string) => server.arrivedAt(name).map(({ ending }) => ending)

async function run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const began = performance.now()
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
  })
  const ended = child.exited.then((status) => ({ status, seconds: (performance.now() - began) / 1_000 }))
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { ...(await ended), output, errors }
}

/** Creates an executable program. @returns its path */
function program(name: string, text: string): string {
  writeFileSync(folder.file(name), text)
  chmodSync(folder.file(name), 0o755)
  return folder.file(name)
}

/** Puts a job into the snippet. @returns words that run it */
function around(name: 'bash' | 'crontab', url: string, job: string): readonly string[] {
  const text = SNIPPETS[name](url, TIMING, NOW, 'https://x.example')
  if (name === 'bash') return ['bash', program(`${job.replaceAll('/', '-')}.sh`, text.replace('./backup.sh', job))]
  const command = text.slice(text.lastIndexOf('\n') + 1 + `${TIMING.schedule}  `.length)
  return ['sh', '-c', command.replace('/usr/local/bin/backup.sh', job)]
}

describe.skipIf(isMissing('curl')).each(['bash', 'crontab'] as const)('the %s snippet', (name) => {
  test('runs the job and pings where no temporary file can be made', async () => {
    const job = program('failing', '#!/bin/sh\nexit 4\n')
    const { status, errors } = await run(around(name, server.urlOf('well', `${name}-full`), job), {
      TMPDIR: folder.file('nowhere'),
    })
    expect([status, endingsAt(`${name}-full`)]).toEqual([4, ['/start', '/4']])
    expect(errors).toContain('nowhere')
  })

  test('does not wait for what the job leaves in the background', async () => {
    const job = program('forking', '#!/bin/sh\nsleep 600 &\necho $! >pid\necho done\n')
    const { status, seconds, output } = await run(around(name, server.urlOf('well', `${name}-forking`), job))
    await run(['sh', '-c', 'kill "$(cat pid)"'])
    expect([status, output]).toEqual([0, 'done\n'])
    expect(seconds).toBeLessThan(30)
    expect(server.arrivedAt(`${name}-forking`).map(({ ending, body }) => [ending, body])).toEqual([
      ['/start', ''],
      ['/0', 'done\n'],
    ])
  })

  test('leaves no temporary file', async () => {
    const command = around(name, server.urlOf('well', `${name}-tidy`), 'true')
    const tmp = folder.file(`${name}-tmp`)
    const { output } = await run(['sh', '-c', 'mkdir "$0" && TMPDIR=$0 "$@"; ls -A "$0"', tmp, ...command])
    expect(output).toBe('')
  })
})

test.skipIf(isMissing('python3'))('exit(0) in a job in Python is a success', async () => {
  const text = `import sys\nrun_the_job = lambda: sys.exit(0)\n${SNIPPETS.python(server.urlOf('well', 'leaving'), TIMING, NOW, 'https://x.example')}`
  const { status } = await run(['python3', program('leaving.py', text)])
  expect([status, endingsAt('leaving')]).toEqual([0, ['/start', '']])
})

test.skipIf(isMissing('curl'))('the end of a job reaches a server that starts again meanwhile', async () => {
  const port = freePort()
  const ping = run(['sh', '-c', `${CURL_END} http://127.0.0.1:${port}/0`])
  await Bun.sleep(2_000)
  const asked: string[] = []
  const late = Bun.serve({
    port,
    hostname: '127.0.0.1',
    fetch(request) {
      asked.push(new URL(request.url).pathname)
      return new Response('OK')
    },
  })
  expect([(await ping).status, asked]).toEqual([0, ['/0']])
  await late.stop(true)
})

/** Script in a mount namespace of its own, where the name server is a socket that never answers. */
const UNANSWERED = `printf 'nameserver 127.0.0.2\\n' >resolv.conf && mount --bind resolv.conf /etc/resolv.conf || exit 9
python3 -c 'import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.2", 53))
time.sleep(60)' >/dev/null 2>&1 &
sleep 1
${CURL_START} http://overdue.example.org/
${CURL_END} http://overdue.example.org/
kill $!`

const canUnshare = process.getuid?.() === 0 && !isMissing('unshare') && !isMissing('python3') && !isMissing('curl')

test.skipIf(!canUnshare)('a name server that is silent delays a job by less than 30 seconds (needs root)', async () => {
  const { seconds, errors } = await run(['unshare', '-m', 'sh', '-c', UNANSWERED])
  expect(errors.match(/Resolving timed out/g)?.length).toBeGreaterThanOrEqual(2)
  expect(seconds).toBeLessThan(30)
})

describe('the systemd snippet', () => {
  const unit = SNIPPETS.systemd('http://127.0.0.1:1/ping/x', TIMING, NOW, 'https://x.example')

  test.skipIf(isMissing('systemd-analyze'))('is a unit that systemd understands', async () => {
    const file = folder.file('job.service')
    writeFileSync(file, unit.replace('/usr/local/bin/backup.sh', '/bin/true'))
    const { status, errors } = await run(['systemd-analyze', 'verify', '--man=no', file])
    expect([status, errors.split('\n').filter((line) => line.includes('job.service'))]).toEqual([0, []])
  })

  test.each([
    ['success', '1', ['/0']],
    ['exit-code', '7', ['/7']],
    ['signal', 'KILL', ['/fail']],
    ['timeout', '0', ['/fail']],
    ['exec-condition', '1', []],
  ] as const)('tells the result %p with status %p as %p', async (SERVICE_RESULT, EXIT_STATUS, endings) => {
    const name = `unit-${SERVICE_RESULT}`
    const [stop] = unitCommands(
      SNIPPETS.systemd(server.urlOf('well', name), TIMING, NOW, 'https://x.example'),
      'ExecStopPost',
    )
    await run(stop?.words ?? [], { SERVICE_RESULT, EXIT_STATUS })
    expect(endingsAt(name)).toEqual([...endings])
  })
})
