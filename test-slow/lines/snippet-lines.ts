/** The snippets of a check's page, run as by a person who pastes them. */
import overdueRun from '../../src/domain/ping/overdue-run.sh' with { type: 'text' }
import { SNIPPETS, type Snippet } from '../../src/http/web/parts/snippets.ts'
import { Temporal } from '../../src/lib/time.ts'
import { type Line, type Place, type Step, WHOLE_OUTPUT } from './steps.ts'
import { unitCommands } from './unit-commands.ts'

const TIMING = { kind: 'cron', schedule: '30 3 * * *', timeoutSeconds: 60, tz: 'Europe/Riga' } as const
const NOW = Temporal.Instant.from('2026-05-04T10:00:00Z')
const write = (name: Snippet, url: string) => SNIPPETS[name](url, TIMING, NOW, 'https://x.example')

const byStatus = (status: number) => ['/start', `/${status}`]
const byFailure = (status: number) => ['/start', status === 0 ? '' : '/fail']

/** A program with the snippet in it, whose job returns a text or fails. */
interface Program {
  readonly name: Snippet
  readonly command: string
  readonly file: string
  /** exit status of the program when the job fails */
  readonly failure: number
  around(snippet: string, job: { text: string; isFailing: boolean }): string
}

const quoted = (text: string) => JSON.stringify(text)

const PROGRAMS: readonly Program[] = [
  {
    name: 'python',
    command: 'python3',
    file: 'job.py',
    failure: 1,
    around: (snippet, { text, isFailing }) =>
      `def run_the_job():\n    print(${quoted(text)})\n    ${isFailing ? `raise Exception(${quoted(text)})` : `return ${quoted(text)}`}\n\n${snippet}\n`,
  },
  {
    name: 'node',
    command: 'node',
    file: 'job.mjs',
    failure: 1,
    around: (snippet, { text, isFailing }) =>
      `async function runTheJob() { console.log(${quoted(text)}); ${isFailing ? `throw new Error(${quoted(text)})` : `return ${quoted(text)}`} }\n${snippet}\n`,
  },
  {
    name: 'php',
    command: 'php',
    file: 'job.php',
    failure: 255,
    around: (snippet, { text, isFailing }) =>
      `${snippet}\nfunction run_the_job() { echo '${text}'; ${isFailing ? `throw new Exception('${text}');` : `return '${text}';`} }\n`,
  },
  {
    name: 'ruby',
    command: 'ruby',
    file: 'job.rb',
    failure: 1,
    around: (snippet, { text, isFailing }) =>
      `# encoding: utf-8\ndef run_the_job\n  puts ${quoted(text)}\n  ${isFailing ? `raise ${quoted(text)}` : quoted(text)}\nend\n${snippet}\n`,
  },
]

const programLines: readonly Line[] = PROGRAMS.map(({ name, command, file, around, failure }) => ({
  name: `the ${name} snippet`,
  needs: [command],
  endings: byFailure,
  sendsOutput: true,
  failure,
  steps(url, status, place) {
    const text = around(write(name, url), { text: WHOLE_OUTPUT, isFailing: status !== 0 })
    return [{ command: [command, place.write(file, text)], isJob: true }]
  },
}))

/** The commands of GitHub's documentation for steps without and with `shell: bash`. */
const GITHUB_SHELLS = { usual: ['bash', '-e'], bash: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'] } as const

interface GithubStep {
  readonly run: string
  readonly shell?: 'bash'
  readonly 'continue-on-error'?: boolean
}

function githubSteps(url: string, status: number, place: Place): readonly Step[] {
  const job = status === 0 ? 'success' : 'failure'
  const { steps } = Bun.YAML.parse(write('github', url)) as { steps: GithubStep[] }
  return steps.map(({ run, shell, ...step }, index) => {
    const text = run
      .replaceAll(/\$\{\{ job\.status \}\}/g, job)
      .replaceAll(/\$\{\{ job\.status == 'success' && '(.*?)' \|\| '(.*?)' \}\}/g, (_, well, failed) =>
        status === 0 ? well : failed,
      )
      .replace('./backup.sh', './job.sh')
    const file = place.write(`step-${index}.sh`, text)
    return {
      command: [...GITHUB_SHELLS[shell ?? 'usual'], file],
      env: { RUNNER_TEMP: place.path },
      // The status of any other step is that of the job, too.
      isJob: step['continue-on-error'] !== true,
    }
  })
}

interface Manifest {
  readonly spec: {
    readonly jobTemplate: {
      readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } }
    }
  }
}
interface Container {
  readonly command: readonly string[]
  readonly args: readonly string[]
}

const schedulers: readonly Line[] = [
  {
    name: 'the crontab snippet',
    needs: ['curl'],
    endings: byStatus,
    sendsOutput: true,
    steps(url, _, { path }) {
      const line = write('crontab', url).split('\n').at(-1) ?? ''
      const command = line.slice(`${TIMING.schedule}  `.length).replace('/usr/local/bin/backup.sh', `${path}/job.sh`)
      // Like crontab(5): the first percent sign without a backslash before it ends the command.
      return [{ command: ['sh', '-c', command.replace(/(?<!\\)%.*/, '').replaceAll('\\%', '%')], isJob: true }]
    },
  },
  {
    name: 'the bash snippet',
    needs: ['bash', 'curl'],
    endings: byStatus,
    sendsOutput: true,
    steps: (url, _, place) => [
      { command: ['bash', place.write('line.sh', write('bash', url).replace('./backup.sh', './job.sh'))], isJob: true },
    ],
  },
  {
    name: 'the overdue run snippet',
    needs: ['curl'],
    endings: byStatus,
    sendsOutput: true,
    steps(url, _, place) {
      const [line = ''] = /^overdue-run .*/m.exec(write('wrapper', url)) ?? []
      const command = line.replace('overdue-run', `sh ${place.write('overdue-run', overdueRun)}`)
      return [{ command: ['sh', '-c', command.replace('./backup.sh', './job.sh')], isJob: true }]
    },
  },
  {
    name: 'the PowerShell snippet',
    needs: ['pwsh', 'curl'],
    endings: byStatus,
    sendsOutput: true,
    steps(url, status, place) {
      // Names of programs on Windows.
      place.write('curl.exe', `#!/bin/sh\nexec curl "$@"\n`)
      place.write('powershell', '#!/bin/sh\nexec pwsh "$@"\n')
      place.write('backup.ps1', `Write-Output '${WHOLE_OUTPUT}'\nexit ${status}\n`)
      const text = write('powershell', url).replaceAll('NUL', '/dev/null').replace('.\\backup.ps1', './backup.ps1')
      const env = { PATH: `${place.path}:${process.env.PATH}` }
      return [{ command: ['pwsh', '-NoProfile', '-File', place.write('line.ps1', text)], env, isJob: true }]
    },
  },
  {
    name: 'the systemd snippet',
    needs: ['curl'],
    endings: byStatus,
    sendsOutput: true,
    steps(url, status, place) {
      // A replacement of systemd's journal. It expects the request of the snippet, and prints the output of the job.
      place.write('journalctl', `#!/bin/sh\n[ "$*" = "-q -n 200 -o cat _SYSTEMD_INVOCATION_ID=42" ] && ./job.sh\n`)
      return serviceSteps(write('systemd', url), status, place)
    },
  },
  {
    name: 'the Kubernetes snippet',
    needs: ['curl'],
    endings: byStatus,
    sendsOutput: true,
    steps(url, _, { path }) {
      const { spec } = Bun.YAML.parse(write('kubernetes', url)) as Manifest
      const [container] = spec.jobTemplate.spec.template.spec.containers
      const script = container?.args[0]?.replace('/backup.sh', `${path}/job.sh`).replaceAll('/ping/', `${path}/`) ?? ''
      return [
        {
          command: [...(container?.command ?? []), script],
          isJob: true,
        },
      ]
    },
  },
  {
    name: 'the GitHub snippet',
    needs: ['bash', 'curl'],
    endings: byFailure,
    sendsOutput: true,
    steps: githubSteps,
  },
]

/** Returns the commands of a service around the job. In the unit, commands whose failure systemd ignores must begin with a minus sign. */
export function serviceSteps(unit: string, status: number, place: Place): readonly Step[] {
  const [start, stop] = [unitCommands(unit, 'ExecStartPre'), unitCommands(unit, 'ExecStopPost')]
  const env = {
    SERVICE_RESULT: status === 0 ? 'success' : 'exit-code',
    EXIT_CODE: 'exited',
    EXIT_STATUS: String(status),
    INVOCATION_ID: '42',
    PATH: `${place.path}:${process.env.PATH}`,
  }
  const around = (commands: ReturnType<typeof unitCommands>) =>
    commands.map(({ words, isIgnored }) => ({ command: words, env, isJob: !isIgnored }))
  return [...around(start), { command: [`${place.path}/job.sh`], isJob: true }, ...around(stop)]
}

export const SNIPPET_LINES = [...schedulers, ...programLines]
