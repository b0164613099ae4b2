/** Lines that imports of other schedulers write, and lines in documents. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../test/support/command-line.ts'
import { serviceSteps } from './snippet-lines.ts'
import type { Line, Place } from './steps.ts'

const PLACEHOLDER = /http:\/\/localhost:8000\/ping\/PLACEHOLDER-UNTIL-APPLY-[a-z0-9-]+/g

const byStatus = (status: number) => ['/start', `/${status}`]

/** Runs the import without `--apply`, which needs no server and no project. @param options of the command */
async function proposed<Answer>(scheduler: string, input: string, options: readonly string[] = []): Promise<Answer> {
  const { code, out, err } = await run(['import', scheduler, '-', '--json', ...options], {}, input)
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as Answer
}

const WITH_CURL = ['--with', 'curl']

interface Patch {
  readonly operations: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[]
}
interface Container {
  readonly name: string
  readonly command: readonly string[]
}

const CRONTAB = `0 3 * * * /opt/job.sh
0 4 * * * cd /opt && ./job.sh | cat; exit 3
`
const TIMER = `# /etc/systemd/system/job.timer
[Timer]
OnCalendar=daily

# /etc/systemd/system/job.service
[Service]
Type=oneshot
ExecStart=/opt/job.sh
`
const cronJob = (container: object) =>
  JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'job' },
    spec: {
      schedule: '0 3 * * *',
      jobTemplate: { spec: { template: { spec: { containers: [{ name: 'job', image: 'job', ...container }] } } } },
    },
  })

/** Returns the line of a patched CronJob's container: its command, and the file of the ConfigMap. */
async function wrappedLine(): Promise<Line> {
  const { config_maps: maps, patches } = await proposed<{
    config_maps: readonly { data: Readonly<Record<string, string>> }[]
    patches: readonly Patch[]
  }>('kubernetes', cronJob({ command: ['/opt/job.sh'] }), ['--with', 'overdue-run'])
  const added = patches[0]?.operations.filter(({ op, path }) => op === 'add' && path.includes('/command/')) ?? []
  return {
    name: 'the patch of a CronJob with the wrapper',
    needs: ['curl'],
    sendsOutput: true,
    endings: byStatus,
    steps: (url, _, place) => {
      const script = place.write('overdue-run', maps[0]?.data['overdue-run'] ?? '')
      const words = added.map(({ value }) =>
        String(value).replace('/overdue/overdue-run', script).replaceAll(PLACEHOLDER, url),
      )
      return [{ command: [...words, `${place.path}/job.sh`], isJob: true }]
    },
  }
}

/** Returns the lines that imports write, with another URL, and for crontabs with another job. */
export async function importLines(): Promise<readonly Line[]> {
  const { diff } = await proposed<{ diff: string }>('crontab', CRONTAB, WITH_CURL)
  const [plain = '', compound = ''] = [...diff.matchAll(/^\+\d \d \* \* \* (.*)$/gm)].map(([, command = '']) => command)
  const { files } = await proposed<{ files: readonly { text: string }[] }>('systemd', TIMER, WITH_CURL)
  const { patches } = await proposed<{ patches: readonly Patch[] }>('kubernetes', cronJob({}))
  const containers = patches[0]?.operations.flatMap(({ value }) => (Array.isArray(value) ? value : [value])) ?? []
  const [start, end] = containers.filter((one): one is Container => typeof one === 'object' && one !== null)
  const common = { needs: ['curl'], sendsOutput: false }
  const shell =
    (command: string) =>
    (url: string, _: number, { path }: Place) => [
      { command: ['sh', '-c', command.replaceAll(PLACEHOLDER, url).replaceAll('/opt', path)], isJob: true },
    ]
  return [
    { ...common, name: 'the line of a crontab', endings: byStatus, steps: shell(plain) },
    {
      ...common,
      name: 'the line of a crontab with a compound command',
      endings: byStatus,
      steps: (url, status, place) => shell(compound.replace('exit 3', `exit ${status}`))(url, status, place),
    },
    {
      ...common,
      name: 'the drop-in of a service',
      endings: byStatus,
      steps: (url, status, place) => serviceSteps((files[0]?.text ?? '').replaceAll(PLACEHOLDER, url), status, place),
    },
    {
      ...common,
      name: 'the patch of a CronJob',
      // The last container runs only after a success.
      endings: (status) => (status === 0 ? ['/start', ''] : ['/start']),
      steps: (url, status, { path }) => {
        const pinging = (one: Container | undefined) => ({
          command: (one?.command ?? []).map((word) => word.replaceAll(PLACEHOLDER, url)),
          // A container that fails ends the pod.
          isJob: true,
        })
        const job = { command: [`${path}/job.sh`], isJob: true }
        return status === 0 ? [pinging(start), job, pinging(end)] : [pinging(start), job]
      },
    },
    await wrappedLine(),
  ]
}

/** Returns a line of a document, as a command. @param path of the document @param pattern around the command */
function documented(path: string, pattern: RegExp): string {
  const command = pattern.exec(readFileSync(join(import.meta.dir, '../..', path), 'utf8'))?.[1]
  if (command === undefined) throw new Error(`${path} has no such line any more`)
  return command
}

/** @param job placeholder of the job @param urlWords placeholder of the URL */
function documentLine(path: string, pattern: RegExp, job: string | RegExp, urlWords: string | RegExp): Line {
  const command = documented(path, pattern)
  return {
    name: `the line in ${path}`,
    needs: ['curl'],
    sendsOutput: false,
    endings: (status) => (command.includes('/start') ? byStatus(status) : [`/${status}`]),
    steps: (url, _, { path: folder }) => [
      { command: ['sh', '-c', command.replace(job, `${folder}/job.sh`).replaceAll(urlWords, url)], isJob: true },
    ],
  }
}

export const DOCUMENT_LINES: readonly Line[] = [
  documentLine('README.md', /^`0 2 \* \* \* {2}(.*)`\.$/m, '/usr/local/bin/backup', /http:\S+?<ping key>\/backup/g),
  documentLine('docs/moving-in.md', /^0 3 \* \* \* (curl .*)$/m, '/usr/local/bin/backup.sh', 'URL'),
  documentLine('docs/backup.md', /^0 3 \* \* \* {2}(.*)$/m, /^cd .*? >\/dev\/null/, '<ping URL>'),
]
