/** `overdue check …` */
import { UserError } from '../domain/errors.ts'
import type { CheckWithChannels } from '../domain/representation.ts'
import { listChannels } from '../services/channels.ts'
import { deleteCheck, listChecks, pauseCheck, resumeCheck, updateCheck, upsertCheck } from '../services/checks.ts'
import type { Deps } from '../services/deps.ts'
import { readSpec, SPEC_OPTIONS } from './check-spec.ts'
import { checkWords, LIST_HEADS, listCells, represent } from './check-words.ts'
import { type Command, openProject } from './command.ts'
import { CHECK_HELP, openCheck } from './find-check.ts'
import { type Cell, shortIds } from './screen.ts'

const PROJECT = { project: { type: 'string' } } as const
const NAMED = { takes: ['CHECK'], usage: '--project NAME_OR_ID', options: PROJECT } as const

export const checkCommands: readonly Command[] = [
  {
    words: 'check list',
    usage: '--project NAME_OR_ID',
    summary: "list a project's checks with their status now",
    details:
      'NEXT PING is when the next ping is expected; the grace time begins then. --json prints the checks as the API does.',
    example: 'overdue check list --project Default',
    options: PROJECT,
    async run({ openDeps, values, print }) {
      const { deps, project } = await openProject({ openDeps, values })
      const json: unknown[] = []
      const rows: Cell[][] = []
      const ids: string[] = []
      for await (const page of listChecks(deps, project, {})) {
        for (const found of page) {
          if (values.json) json.push(represent(found, deps))
          else rows.push(listCells(found.check, deps))
          ids.push(found.check.id)
        }
      }
      const short = shortIds(ids)
      const table = { rows: [[...LIST_HEADS, 'ID'], ...rows.map((row, index) => [...row, short[index] ?? ''])] }
      print(json, [table])
      return 0
    },
  },
  {
    words: 'check show',
    ...NAMED,
    summary: 'show one check: status, schedule, ping URL, channels',
    details: CHECK_HELP,
    example: 'overdue check show backup --project Default',
    async run(context) {
      const { deps, project, found } = await openCheck(context)
      context.print(represent(found, deps), checkWords(found, deps, await listChannels(deps, project)))
      return 0
    },
  },
  {
    words: 'check create',
    usage:
      '--project NAME_OR_ID --name NAME [--slug SLUG] [--tags TAGS] [--desc TEXT] [--timeout SPAN | --schedule EXPRESSION [--tz ZONE]] [--grace SPAN] [--channels LIST]',
    summary: 'create a check and print its ping URL',
    details: [
      'SPAN is in seconds, or like 5m, 1h, 1d. A check goes down when no ping comes for --timeout (1d unless given) and then',
      '--grace (1h). EXPRESSION is cron or OnCalendar; `overdue schedule` explains it. TAGS are separated by spaces.',
      'LIST is *, or names or ids of channels between commas; without it, the check alerts nobody.',
    ].join('\n'),
    example:
      "overdue check create --project Default --name Backup --slug backup --timeout 1d --grace 1h --channels '*'",
    options: { ...PROJECT, ...SPEC_OPTIONS },
    async run({ openDeps, values, print }) {
      const spec = readSpec(values)
      if (!spec.name) throw new UserError('--name is missing', 'see `overdue check create --help`')
      const { deps, project } = await openProject({ openDeps, values })
      const created = await upsertCheck(deps, project, spec, false)
      print(represent(created, deps), checkWords(created, deps, await listChannels(deps, project)))
      return 0
    },
  },
  action('pause', 'paused', 'pause a check: its silence is not judged until a ping comes or it is resumed', pauseCheck),
  action('resume', 'resumed', 'resume a paused check: it waits for its next ping', resumeCheck),
  {
    words: 'check delete',
    ...NAMED,
    usage: `${NAMED.usage} [--yes]`,
    options: { ...PROJECT, yes: { type: 'boolean', default: false } },
    summary: 'delete a check with its log',
    details: `${CHECK_HELP}\nOn a terminal it asks first, unless --yes is given.`,
    example: 'overdue check delete backup --project Default --yes',
    async run(context) {
      const { deps, found } = await openCheck(context)
      const title = titleOf(found)
      if (!context.values.yes && !context.confirm(`Delete the check ${title} and its log?`)) return 1
      const deleted = await deleteCheck(deps, found.check.id)
      context.print(represent(deleted, deps), `deleted ${title}`)
      return 0
    },
  },
  {
    words: 'check assign',
    ...NAMED,
    usage: `${NAMED.usage} --channels LIST`,
    options: { ...PROJECT, channels: { type: 'string' } },
    summary: 'set the channels that get the alerts of a check',
    details: `${CHECK_HELP}\nLIST replaces the channels that it has: *, or names or ids of channels between commas; '' for none.`,
    example: "overdue check assign backup --project Default --channels '*'",
    async run(context) {
      const { channels } = context.values
      if (channels === undefined) throw new UserError('--channels is missing', "use '*' for all and '' for none")
      const { deps, project, found } = await openCheck(context)
      const changed = await updateCheck(deps, found.check.id, { channels: String(channels) }, false)
      context.print(represent(changed, deps), checkWords(changed, deps, await listChannels(deps, project)))
      return 0
    },
  },
]

function action(
  word: 'pause' | 'resume',
  done: string,
  summary: string,
  change: (deps: Deps, id: string) => Promise<CheckWithChannels>,
): Command {
  return {
    words: `check ${word}`,
    ...NAMED,
    summary,
    details: CHECK_HELP,
    example: `overdue check ${word} backup --project Default`,
    async run(context) {
      const { deps, found } = await openCheck(context)
      const changed = await change(deps, found.check.id)
      context.print(represent(changed, deps), `${done} ${titleOf(changed)}`)
      return 0
    },
  }
}

function titleOf({ check: { name, id } }: CheckWithChannels): string {
  return name === '' ? id : `"${name}" (${id})`
}
