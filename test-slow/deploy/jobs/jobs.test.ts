/**
 * The examples in `deploy/jobs/`: a shell runs their commands, beside a real server, and the programs that read their files check them.
 * Nothing here runs PowerShell, cron, systemd, a cluster or GitHub.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../../test/support/free-port.ts'
import { isMissing, run, where } from '../programs.ts'
import { JOBS, type Machine, machine } from './machine.ts'

let m: Machine
beforeAll(async () => {
  m = await machine()
  for (const slug of ['sync', 'report-by-cron', 'backup-of-systemd']) await m.createCheck(slug)
})
afterAll(() => m.remove())

const ended = (output: string) => ({ status: 0, output, errors: '' })
const runWith = (body: string) => [
  { type: 'start', body: '' },
  { type: 'success', body },
]
/**
 * Reads settings of a crontab, and the commands of its jobs by the slug of their check.
 * @param fields number of fields before the command
 */
function readCrontab(text: string, fields: number) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const settings = lines.flatMap((line) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  const jobs = lines.slice(settings.length).map((line) => {
    const [, command = ''] = new RegExp(`^(?:\\S+\\s+){${fields}}(.*)$`).exec(line) ?? []
    return [/--check (\S+)/.exec(command)?.[1], command.replaceAll('\\%', '%')] as const
  })
  return { settings: Object.fromEntries(settings), jobs: Object.fromEntries(jobs) as Record<string, string> }
}

describe('the crontab', () => {
  test('has jobs that make their check, ping it with their output, and are more than one command', async () => {
    const { settings, jobs } = readCrontab(
      m.example('crontab/crontab').replace('--check report', '--check report-by-cron'),
      5,
    )
    expect(Object.keys(jobs)).toEqual(['backup', 'sync', 'report-by-cron'])
    const day = new Date().toISOString().slice(0, 10)
    expect(await m.run(jobs.backup ?? '', { ...settings, TZ: 'UTC' })).toEqual(
      ended(`backup --to ${m.file('srv')}/${day}\n`),
    )
    expect(await m.check('backup')).toMatchObject({ schedule: '30 2 * * *', tz: 'Europe/Riga', grace: 3600 })
    expect(await m.pingsOf('backup')).toEqual(runWith(`backup --to ${m.file('srv')}/${day}\n`))
    expect(await m.run(jobs.sync ?? '', settings)).toEqual(ended('sync-stock \n'))
    expect(await m.pingsOf('sync')).toEqual(runWith('sync-stock \n'))
    expect(await m.run(jobs['report-by-cron'] ?? '', settings)).toEqual(ended(''))
    expect(await m.pingsOf('report-by-cron')).toEqual(runWith(''))
    expect(new TextDecoder().decode(Bun.gunzipSync(readFileSync(m.file('srv/reports/weekly.gz'))))).toBe('weekly \n')
  })
})

describe('the units of systemd', () => {
  /** Returns the command and the environment of a unit, with the specifiers replaced as the service manager does. */
  function unit(file: string, name: string) {
    const text = m
      .example(`systemd/${file}`)
      .replaceAll('%d', m.file('credentials'))
      .replaceAll('%S', m.file('state'))
      .replaceAll('%N', name)
      .replaceAll('%%', '%')
    const values = (key: string) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
    for (const credential of values('LoadCredential')) {
      const [id = '', source = ''] = credential.split(':')
      mkdirSync(m.file('credentials'), { recursive: true })
      copyFileSync(source, join(m.file('credentials'), id))
    }
    const settings = Object.fromEntries(values('Environment').map((line) => line.split(/=(.*)/s).slice(0, 2)))
    return { command: values('ExecStart').at(-1) ?? '', settings: settings as Record<string, string> }
  }

  test.skipIf(isMissing('systemd-analyze'))(`pass systemd-analyze verify ${where('systemd-analyze')}`, () => {
    const folder = m.file('units')
    const names = ['report.service', 'report.timer', 'overdue-flush.service', 'overdue-flush.timer']
    mkdirSync(join(folder, 'backup.service.d'), { recursive: true })
    for (const name of names) writeFileSync(join(folder, name), m.example(`systemd/${name}`))
    writeFileSync(join(folder, 'backup.service'), '[Service]\nType=oneshot\nExecStart=/bin/true\n')
    writeFileSync(join(folder, 'backup.service.d/overdue-run.conf'), m.example('systemd/overdue-run.conf'))
    const files = ['backup.service', ...names].map((name) => join(folder, name))
    const verify = run(['systemd-analyze', 'verify', '--man=no', ...files], { SYSTEMD_UNIT_PATH: `${folder}:` })
    const ours = verify.errors.split('\n').filter((line) => line.includes(folder) || line.includes('overdue'))
    expect({ status: verify.status, ours }).toEqual({ status: 0, ours: [] })
  })

  test('ping the check that is named like the service', async () => {
    const { command, settings } = unit('overdue-run.conf', 'backup-of-systemd')
    expect(await m.run(command, settings)).toEqual(ended('backup --all\n'))
    expect(await m.pingsOf('backup-of-systemd')).toEqual(runWith('backup --all\n'))
  })

  test('keep a run while the server is away, and deliver it when it is back', async () => {
    const report = unit('report.service', 'report')
    const port = freePort()
    const address = { OVERDUE_URL: `http://127.0.0.1:${port}` }
    expect(await m.run(report.command, { ...report.settings, ...address })).toMatchObject({
      status: 0,
      output: 'report --week\n',
    })
    const flush = unit('overdue-flush.service', 'overdue-flush')
    const back = Bun.serve({
      hostname: '127.0.0.1',
      port,
      fetch: (request) => fetch(new Request(request.url.replace(address.OVERDUE_URL, m.served.baseUrl), request)),
    })
    const spool = { OVERDUE_SPOOL: report.settings.OVERDUE_SPOOL ?? '' }
    expect(await m.run(flush.command, { ...flush.settings, ...address, ...spool })).toMatchObject({
      status: 0,
      errors: '',
    })
    await back.stop(true)
    expect(await m.pingsOf('report')).toEqual(runWith('report --week\n'))
    expect(await m.check('report')).toMatchObject({ schedule: 'Mon *-*-* 06:00', tz: 'Europe/Riga', grace: 3600 })
  })
})

interface CronJob {
  readonly spec: { readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } } }
}
interface Pod {
  readonly containers: readonly [{ command: string[]; args: string[]; env: { name: string; value?: string }[] }]
}

describe('the CronJob of Kubernetes', () => {
  test('runs its command in the wrapper that the ConfigMap holds', async () => {
    const text = m.example('kubernetes/cronjob.yaml').replace(' backup, --create', ' backup-of-pods, --create')
    const { command, args, env } = (Bun.YAML.parse(text) as CronJob).spec.jobTemplate.spec.template.spec.containers[0]
    const words = [...command, ...args].map((word) => word.replace('/overdue/overdue-run', m.file('overdue-run')))
    const settings = Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])))
    const line = words.map((word) => `'${word}'`).join(' ')
    expect(await m.run(line, { ...m.settings, ...settings })).toEqual(ended('backup --all\n'))
    expect(await m.pingsOf('backup-of-pods')).toEqual(runWith('backup --all\n'))
  })

  test.skipIf(isMissing('kubernetes-validate'))(`fits the schema ${where('kubernetes-validate')}`, () => {
    const file = join(JOBS, 'kubernetes/cronjob.yaml')
    expect(run(['kubernetes-validate', '--strict', '--no-warn', '-k', '1.37', file])).toMatchObject({ status: 0 })
  })

  test.skipIf(isMissing('kubectl'))(`comes with a ConfigMap of the wrapper ${where('kubectl')}`, () => {
    const folder = m.file('kubernetes')
    mkdirSync(folder)
    for (const name of ['kustomization.yaml', 'cronjob.yaml'])
      copyFileSync(join(JOBS, 'kubernetes', name), join(folder, name))
    copyFileSync(m.file('overdue-run'), join(folder, 'overdue-run'))
    const { status, output } = run(['kubectl', 'kustomize', folder])
    expect(status).toBe(0)
    const [map, job] = Bun.YAML.parse(output) as [{ metadata: { name: string }; data: object }, object]
    expect(map.data).toEqual({ 'overdue-run': readFileSync(m.file('overdue-run'), 'utf8') })
    expect(JSON.stringify(job)).toContain(`"configMap":{"defaultMode":365,"name":"${map.metadata.name}"}`)
  })
})

describe('the workflow of GitHub', () => {
  test('has a step that runs in the wrapper of the repository', async () => {
    const { jobs } = Bun.YAML.parse(m.example('github-actions/nightly.yml')) as {
      jobs: { report: { steps: { run?: string }[] } }
    }
    copyFileSync(m.file('overdue-run'), m.file('.github/overdue-run'))
    const step = jobs.report.steps.at(-1)?.run ?? ''
    expect(await m.run(step, m.settings)).toEqual(ended('report.sh --all\n'))
    expect(await m.pingsOf('nightly-report')).toEqual(runWith('report.sh --all\n'))
    expect(await m.check('nightly-report')).toMatchObject({ schedule: '30 2 * * *', tz: 'UTC', grace: 7200 })
  })

  test.skipIf(isMissing('actionlint'))(`passes its linter ${where('actionlint')}`, () => {
    expect(run(['actionlint', join(JOBS, 'github-actions/nightly.yml')])).toEqual({
      status: 0,
      output: '',
      errors: '',
    })
  })
})

describe.skipIf(isMissing('ansible-playbook'))(`the playbook of Ansible ${where('ansible-playbook')}`, () => {
  const PLAY = join(JOBS, 'ansible/playbook.yml')

  function play(...words: string[]) {
    const vars = {
      ansible_become: false,
      ansible_connection: 'local',
      ansible_python_interpreter: Bun.which('python3'),
      overdue_run_program: m.file('ansible-bin/overdue-run'),
      overdue_run_key_file: m.file('ansible-etc/ping-key'),
      overdue_run_cron_file: m.file('ansible-etc/cron'),
    }
    mkdirSync(dirname(vars.overdue_run_program), { recursive: true })
    writeFileSync(m.file('playbook.yml'), m.example('ansible/playbook.yml'))
    return run(['ansible-playbook', '-i', 'localhost,', '-e', JSON.stringify(vars), ...words, m.file('playbook.yml')], {
      ANSIBLE_ROLES_PATH: join(dirname(PLAY), 'roles'),
      ANSIBLE_LOCAL_TEMP: m.file('ansible'),
      ANSIBLE_REMOTE_TEMP: m.file('ansible'),
      PING_KEY: m.settings.OVERDUE_PING_KEY,
    })
  }

  test('installs the wrapper, the key and the jobs, and a second play changes nothing', async () => {
    expect(play('--check', '--diff')).toMatchObject({ status: 0 })
    expect(play()).toMatchObject({ status: 0, output: expect.stringMatching(/changed=4 .*failed=0/) })
    expect(play()).toMatchObject({ status: 0, output: expect.stringMatching(/changed=0 .*failed=0/) })
    const cron = readFileSync(m.file('ansible-etc/cron'), 'utf8').replaceAll(
      '--check backup',
      '--check backup-by-ansible',
    )
    const { settings, jobs } = readCrontab(cron, 6)
    const day = new Date().toISOString().slice(0, 10)
    expect(await m.run(jobs['backup-by-ansible'] ?? '', { ...settings, TZ: 'UTC' })).toEqual(
      ended(`backup --to ${m.file('srv')}/${day}\n`),
    )
    expect(await m.pingsOf('backup-by-ansible')).toEqual(runWith(`backup --to ${m.file('srv')}/${day}\n`))
  })

  test('says what is missing', () => {
    const { status, output } = play('-e', 'overdue_run_ping_key=')
    expect({ status, output }).toEqual({
      status: 2,
      output: expect.stringContaining('set overdue_run_url and overdue_run_ping_key'),
    })
  })
})

describe('the script for PowerShell', () => {
  const syntax = ['python3', join(import.meta.dir, '../powershell-syntax.py')]
  const hasGrammar = run(['python3', '-c', 'import tree_sitter, tree_sitter_powershell']).status === 0

  test.skipIf(!hasGrammar)(`is one that PowerShell can read ${where('tree-sitter-powershell')}`, () => {
    expect(run([...syntax, join(JOBS, 'powershell/overdue-run.ps1')])).toEqual({ status: 0, output: '', errors: '' })
    const broken = m.file('broken.ps1')
    writeFileSync(broken, 'function Get-Query {\n')
    expect(run([...syntax, broken])).toMatchObject({ status: 1 })
  })
})
