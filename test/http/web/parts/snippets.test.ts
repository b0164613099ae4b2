/** The snippets are run as somebody would who pastes them, as far as this machine has their languages. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { chooseSnippet, SNIPPETS, snippetPicker } from '../../../../src/http/web/parts/snippets.ts'
import { type Folder, folderOnDisk } from '../../../support/folder.ts'

const RHYTHM = { cron: '30 3 * * *', tz: 'Europe/Riga' }

const pinged: string[] = []
let server: Bun.Server<undefined>
let url: string
let folder: Folder
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      pinged.push(new URL(request.url).pathname)
      return new Response('OK')
    },
  })
  url = `http://127.0.0.1:${server.port}/ping/x`
  folder = folderOnDisk()
})
afterAll(async () => {
  await server.stop(true)
  folder.remove()
})
afterEach(() => pinged.splice(0))

/** @returns what was pinged, and what the program wrote to its output, where the job writes `done` */
async function run(
  words: readonly string[],
  files: Readonly<Record<string, string>>,
  env: Record<string, string> = {},
) {
  for (const [name, text] of Object.entries(files)) writeFileSync(folder.file(name), text, { mode: 0o755 })
  const child = Bun.spawn([...words], {
    cwd: folder.path,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
  })
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { paths: [...pinged], output, errors, exitCode: child.exitCode }
}

const has = (program: string) => Bun.which(program) !== null

/** A program around the snippet, in which the job writes `done`. */
const PROGRAMS = {
  python: (snippet: string) => ['python3', 'job.py', `def run_the_job():\n    print("done")\n\n${snippet}`],
  node: (snippet: string) => ['node', 'job.mjs', `const runTheJob = async () => console.log('done')\n${snippet}`],
  php: (snippet: string) => ['php', 'job.php', `${snippet}\nfunction run_the_job() { echo "done\\n"; }`],
  ruby: (snippet: string) => ['ruby', 'job.rb', `def run_the_job = puts("done")\n${snippet}`],
} as const

describe.each(Object.entries(PROGRAMS))('the %s snippet', (name, program) => {
  const kind = chooseSnippet(name)
  const runAt = (at: string) => {
    const [command, file, text] = program(SNIPPETS[kind](at, RHYTHM)) as [string, string, string]
    return run([command, file], { [file]: text })
  }

  test.skipIf(!has(program('')[0] ?? ''))('pings after the job', async () => {
    const { paths, output, exitCode, errors } = await runAt(url)
    expect([paths, output.trim(), exitCode]).toEqual([['/ping/x'], 'done', 0])
    expect(errors).toBe('')
  })

  test.skipIf(!has(program('')[0] ?? ''))('does not fail the job when the ping fails', async () => {
    const { output, exitCode } = await runAt('http://127.0.0.1:9/ping/x')
    expect([output.trim().startsWith('done'), exitCode]).toEqual([true, 0])
  })
})

const canCurl = has('bash') && has('curl')

test.skipIf(!canCurl)('the bash snippet reports the start and the exit status', async () => {
  const job = '#!/bin/sh\nexit 3\n'
  const { paths } = await run(['bash', 'job.sh'], { 'job.sh': SNIPPETS.bash(url, RHYTHM), 'backup.sh': job })
  expect(paths).toEqual(['/ping/x/start', '/ping/x/3'])
})

test.skipIf(!canCurl)('the crontab line has the schedule, and a command that pings only after a success', async () => {
  const line = SNIPPETS.crontab(url, RHYTHM)
  expect(line.startsWith('30 3 * * *  ')).toBeTrue()
  // A percent sign would end the command (crontab(5)).
  expect(line).not.toContain('%')
  const command = line.slice('30 3 * * *  '.length)
  for (const [job, paths] of [
    ['true', ['/ping/x']],
    ['false', []],
  ] as const) {
    pinged.splice(0)
    expect((await run(['sh', '-c', command.replace('/usr/local/bin/backup.sh', job)], {})).paths).toEqual([...paths])
  }
})

test.skipIf(!canCurl)(
  'the systemd unit reports the exit status, and a failure when a signal ended the job',
  async () => {
    const stop = /^ExecStopPost=-\/bin\/sh -c '(.+)'$/m.exec(SNIPPETS.systemd(url, RHYTHM))?.[1]
    // systemd makes one dollar sign of two (systemd.service(5)).
    const command = stop?.replaceAll('$$', '$') ?? ''
    const env = (EXIT_CODE: string, EXIT_STATUS: string) => run(['sh', '-c', command], {}, { EXIT_CODE, EXIT_STATUS })
    expect((await env('exited', '0')).paths).toEqual(['/ping/x/0'])
    expect((await env('killed', 'KILL')).paths).toEqual(['/ping/x/0', '/ping/x/fail'])
  },
)

test.skipIf(!canCurl)('the Kubernetes job reports the exit status and keeps it', async () => {
  const manifest = Bun.YAML.parse(SNIPPETS.kubernetes(url, RHYTHM)) as {
    spec: {
      schedule: string
      timeZone: string
      jobTemplate: { spec: { template: { spec: { containers: { command: string[]; args: string[] }[] } } } }
    }
  }
  expect([manifest.spec.schedule, manifest.spec.timeZone]).toEqual(['30 3 * * *', 'Europe/Riga'])
  const [container] = manifest.spec.jobTemplate.spec.template.spec.containers
  const script = container?.args[0]?.replace('/backup.sh', '(exit 4)') ?? ''
  const { paths, exitCode } = await run([...(container?.command ?? []), script], {})
  expect([paths, exitCode]).toEqual([['/ping/x/4'], 4])
})

test('the GitHub step runs always, and pings by the status of the job', () => {
  const { steps } = Bun.YAML.parse(SNIPPETS.github(url, RHYTHM)) as { steps: Record<string, string>[] }
  expect(steps[1]?.if).toBe(`\${{ always() }}`)
  expect(steps[1]?.run).toContain(`job.status == 'success' && '${url}' || '${url}/fail'`)
})

test('every snippet has the URL, and stands out where it is', () => {
  const { text } = snippetPicker({ chosen: 'python', pingUrl: 'https://x.example/ping/1' })
  for (const name of Object.keys(SNIPPETS)) {
    const [, body] = new RegExp(`data-snippet="${name}"><pre[^>]*>([\\s\\S]*?)</pre>`).exec(text) ?? []
    expect([name, /<b>[^\n]*https:\/\/x\.example\/ping\/1[^\n]*<\/b>/.test(body ?? '')]).toEqual([name, true])
  }
  expect(text.match(/value="\w+" checked/g)).toEqual(['value="python" checked'])
})

test('a name that is none chooses bash', () => {
  expect([null, 'nothing', '__proto__', 'ruby'].map(chooseSnippet)).toEqual(['bash', 'bash', 'bash', 'ruby'])
})
